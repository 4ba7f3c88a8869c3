import { postBody } from './post-body.ts';

export type SentBody =
  | { kind: 'accepted' }
  /** The server will never accept this body. */
  | { kind: 'rejected'; why: string }
  /** The credential is invalid. */
  | { kind: 'unauthorized'; why: string }
  /** The server does not know this path. */
  | { kind: 'unknown_path'; why: string }
  /** No usable response; a retry may succeed. */
  | { kind: 'unreachable'; why: string };

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
    return { kind: 'unreachable', why: error instanceof Error ? error.message : String(error) };
  }
}

function outcomeOf(status: number): SentBody {
  const why = `status ${status}`;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  if (status >= 300 && status < 400) return { kind: 'unreachable', why: `${why}: redirects are not followed` };
  if (status === 401 || status === 403) return { kind: 'unauthorized', why };
  if (status === 404 || status === 405) return { kind: 'unknown_path', why };
  return [400, 413, 415, 422].includes(status) ? { kind: 'rejected', why } : { kind: 'unreachable', why };
}
