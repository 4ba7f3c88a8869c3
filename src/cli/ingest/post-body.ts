import { connect, isIP, type Socket } from 'node:net';
import { type HttpResponse, readResponse } from './read-response.ts';

export interface BodyPost {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  timeoutMs: number;
}

/** Valid header characters; a line end would start another header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * One POST over its own connection. It does not use Node's HTTP client, because loading that takes longer than all other
 * work of a hook. Redirects are not followed.
 * @throws Error if no complete response arrives in time
 */
export async function postBody({ url, headers, body, timeoutMs }: BodyPost): Promise<HttpResponse> {
  const head = headOf(url, headers, body.byteLength);
  const socket = await openSocket(url);
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  const timer = setTimeout(() => reject(new Error(`no response within ${Math.ceil(timeoutMs)} ms`)), timeoutMs);
  let seen: Buffer = Buffer.alloc(0);
  function receive(part: Buffer, isEnded: boolean): void {
    try {
      seen = seen.length === 0 ? part : Buffer.concat([seen, part]);
      const answer = readResponse(seen, isEnded);
      if (answer !== null) resolve(answer);
    } catch (error) {
      reject(error);
    }
  }
  socket
    .on('error', reject)
    .on('data', (part) => receive(part, false))
    .on('end', () => receive(Buffer.alloc(0), true));
  // One buffer, because writing two loads further modules of Node, which takes longer than a copy.
  socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function headOf(url: URL, headers: Readonly<Record<string, string>>, length: number): string {
  const all = {
    host: url.host,
    connection: 'close',
    'content-length': String(length),
    ...basicAuthorization(url),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => {
    if (!HEADER_VALUE.test(value)) throw new Error(`the value for ${name} has characters that are invalid in a header`);
    return `${name}: ${value}\r\n`;
  });
  return `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** A server behind basic authentication: `https://user:password@host`. */
function basicAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

async function openSocket(url: URL): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:') return connect({ host, port: Number(url.port || 80), noDelay: true });
  const tls = await import('node:tls');
  return tls.connect({ host, port: Number(url.port || 443), ...(isIP(host) === 0 ? { servername: host } : {}) });
}
