import { postBody } from './post-body.ts';

export type SentBody =
  | { kind: 'taken' }
  /** The server will never accept this body. */
  | { kind: 'refused'; why: string }
  /** The credential is invalid. */
  | { kind: 'locked_out'; why: string }
  /** The server does not know this path. */
  | { kind: 'no_path'; why: string }
  /** A later retry may succeed. */
  | { kind: 'away'; why: string };

export interface SendTarget {
  server: string;
  apiKey: string | null;
  timeoutMs: number;
}

/** POSTs JSON to a path of the server. Never throws. */
export async function sendBody(
  path: string,
  body: Uint8Array,
  more: Readonly<Record<string, string>>,
  { server, apiKey, timeoutMs }: SendTarget,
): Promise<SentBody> {
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === null ? {} : { 'x-svc-api-key': apiKey }),
    ...more,
  };
  try {
    const { status } = await postBody({ url: new URL(`${server}${path}`), headers, body, timeoutMs });
    return outcomeOf(status);
  } catch (error) {
    return { kind: 'away', why: error instanceof Error ? error.message : String(error) };
  }
}

function outcomeOf(status: number): SentBody {
  const why = `status ${status}`;
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status >= 300 && status < 400) return { kind: 'away', why: `${why}: redirects are not followed` };
  if (status === 401 || status === 403) return { kind: 'locked_out', why };
  if (status === 404 || status === 405) return { kind: 'no_path', why };
  return [400, 413, 415, 422].includes(status) ? { kind: 'refused', why } : { kind: 'away', why };
}
