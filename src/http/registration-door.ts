import type { TenantService } from '../features/identity/tenant.service.ts';
import type { Door } from './authorize.ts';
import type { HttpConfig } from './http-config.ts';
import { isLoopbackName } from './loopback.ts';
import { hostOfPublicUrl } from './public-url.ts';

/**
 * On a loopback listener without a public URL anyone may register the first tenant; afterwards only the operator may. The address of the peer
 * does not count: a proxy on this machine that sends no forwarding header looks like a local user.
 */
export async function doorOf(
  config: Pick<HttpConfig, 'host' | 'isRegistrationOpen' | 'publicUrl'>,
  tenants: Pick<TenantService, 'isFirstRun'>,
): Promise<Door> {
  if (config.isRegistrationOpen) return { isRegistrationOpen: true, isForFirstTenantOnly: false };
  const isPublic = config.publicUrl !== null && !isLoopbackName(hostOfPublicUrl(config.publicUrl));
  const isFirstRun = isLoopbackName(config.host) && !isPublic && (await tenants.isFirstRun());
  return { isRegistrationOpen: isFirstRun, isForFirstTenantOnly: isFirstRun };
}
