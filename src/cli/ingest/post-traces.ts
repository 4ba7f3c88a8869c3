import * as http from 'node:http';

export type TracePost =
  | { kind: 'taken' }
  /** The server will never take this body. */
  | { kind: 'refused'; why: string }
  /** The credential does not hold. */
  | { kind: 'locked_out'; why: string }
  /** Trying again later may help. */
  | { kind: 'away'; why: string };

export interface PostTarget {
  server: string;
  apiKey: string | null;
  timeoutMs: number;
}

const PATH = '/v1/traces';

/** Sends OTLP/JSON through Node's plain client, which starts faster than fetch. Never throws. */
export async function postTraces(body: Uint8Array, target: PostTarget): Promise<TracePost> {
  try {
    return verdictOn(await statusOf(body, target));
  } catch (error) {
    return { kind: 'away', why: error instanceof Error ? error.message : String(error) };
  }
}

function verdictOn(status: number): TracePost {
  const why = `status ${status}`;
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status === 401 || status === 403) return { kind: 'locked_out', why };
  return [400, 413, 415, 422].includes(status) ? { kind: 'refused', why } : { kind: 'away', why };
}

async function statusOf(body: Uint8Array, { server, apiKey, timeoutMs }: PostTarget): Promise<number> {
  const url = new URL(`${server}${PATH}`);
  const client = url.protocol === 'https:' ? await import('node:https') : http;
  const headers = {
    'content-type': 'application/json',
    'content-length': body.byteLength,
    ...(apiKey === null ? {} : { 'x-svc-api-key': apiKey }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
  const request = client.request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
    response.resume();
    response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject);
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}
