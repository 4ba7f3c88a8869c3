import { createClient } from '../../client/misstep-client.generated.ts';
import { BASE } from '../address/router.ts';
import { isSignedOut } from './signed-out.ts';

const SESSION_PATH = '/api/v1/auth/session';

/** Every operation of this server. The browser adds the session's cookie. */
export const server = createClient({ baseUrl: location.origin + BASE, fetch: fetchAndDetectSignOut });

async function fetchAndDetectSignOut(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, init);
  if (response.status === 401 && !String(input).endsWith(SESSION_PATH)) isSignedOut.value = true;
  return response;
}
