import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { joinChunks } from '../../core/join-chunks.ts';
import { VERSION } from '../../core/version.ts';
import type { AddressGuard } from './address-guard.ts';

/** A request to a user-supplied URL. */
export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Null: no body. */
  body: string | null;
  /** Longer response bodies are truncated. */
  maxAnswerBytes: number;
}

export type OutboundAnswer<Body = string> =
  /** `body` has at most `maxAnswerBytes`; less arrived if the connection broke. */
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: Body; isBrokenOff?: boolean }
  /** The URL's target is not allowed. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unreachable'; reason: string };

/** Never throws; redirects are not followed, since their targets are not checked. */
export type SendRequest = (request: OutboundRequest) => Promise<OutboundAnswer>;

/** The same for responses that are too large to be parsed on the event loop. */
export type FetchBytes = (request: OutboundRequest) => Promise<OutboundAnswer<Buffer>>;

/** All addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

export const systemResolveHost: ResolveHost = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

const TIMEOUT_MS = 10_000;

export interface OutboundOptions {
  guard: AddressGuard;
  resolveHost?: ResolveHost;
  timeoutMs?: number;
  /** Aborts running requests. */
  signal?: AbortSignal;
}

export function createSendRequest(options: OutboundOptions): SendRequest {
  const fetchBytes = createFetchBytes(options);
  return async (request) => {
    const answer = await fetchBytes(request);
    return answer.kind === 'answered' ? { ...answer, body: answer.body.toString() } : answer;
  };
}

/**
 * The name is resolved once, every address is checked, and the connection uses exactly these: a name that resolves
 * differently the second time (DNS rebinding) has no effect.
 */
export function createFetchBytes(options: OutboundOptions): FetchBytes {
  const resolveHost = options.resolveHost ?? systemResolveHost;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  return async (request) => {
    const url = URL.parse(request.url);
    const problem = url ? urlProblem(url, options.guard) : 'is not a URL';
    if (!url || problem !== null) return { kind: 'refused', reason: `The URL is not allowed: it ${problem}.` };
    const hostname = bareHost(url);
    let addresses: string[];
    try {
      addresses = isIP(hostname) === 0 ? await withinTime(resolveHost(hostname), timeoutMs) : [hostname];
    } catch (error) {
      return { kind: 'unreachable', reason: `The host name does not resolve (${codeOf(error)}).` };
    }
    if (addresses.length === 0) return { kind: 'unreachable', reason: 'The host name has no address.' };
    const refused = addresses.find((address) => !options.guard.isAllowed(address));
    if (refused !== undefined) return { kind: 'refused', reason: nameProblem(refused, options.guard) };
    const timeout = AbortSignal.timeout(timeoutMs);
    return send(url, addresses, request, options.signal ? AbortSignal.any([timeout, options.signal]) : timeout);
  };
}

/** Why a URL is rejected before its name is resolved, as the predicate of a sentence about it; null if it is not. */
export function urlProblem(url: URL, guard: AddressGuard): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  const hostname = bareHost(url);
  if (isIP(hostname) === 0 || guard.isAllowed(hostname)) return null;
  const command = guard.commandToAllow(hostname);
  const remedy = command === null ? '' : `; the operator of the server can allow it with \`${command}\``;
  return `points to ${hostname}, which is not a public address${remedy}`;
}

/** Omits the address: a user of the server must not learn the addresses of internal names. */
function nameProblem(address: string, guard: AddressGuard): string {
  const command = guard.commandToAllow(address)?.replace(address, 'ADDRESS');
  const remedy = command === undefined ? '' : ` The operator of the server can allow it with \`${command}\`.`;
  return `The host name resolves to an address that is not public.${remedy}`;
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function send(
  url: URL,
  addresses: readonly string[],
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer<Buffer>> {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookupPinned = ((_hostname, { all }, done) => {
    if (all) done(null, pinned);
    else done(null, pinned[0]?.address ?? '', pinned[0]?.family ?? 0);
  }) as LookupFunction;
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const outgoing = start(
      url,
      {
        method: request.method,
        headers: { 'user-agent': `Misstep/${VERSION}`, ...request.headers },
        lookup: lookupPinned,
        agent: false,
        signal,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const read = async (): Promise<OutboundAnswer<Buffer>> => {
          const isBrokenOff = !incoming.complete && size < request.maxAnswerBytes;
          return {
            kind: 'answered',
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: (await joinChunks(chunks, size)).subarray(0, request.maxAnswerBytes),
            ...(isBrokenOff ? { isBrokenOff } : {}),
          };
        };
        let isRead = false;
        const finish = () => {
          // Joining empties the chunks, so it is done once.
          if (!isRead) resolve(read());
          isRead = true;
        };
        incoming.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= request.maxAnswerBytes) incoming.destroy();
        });
        // The headers contain the status, so a broken body does not change it.
        incoming.on('close', finish).on('error', finish);
      },
    );
    outgoing.on('error', (error) => resolve({ kind: 'unreachable', reason: `The request failed (${codeOf(error)}).` }));
    outgoing.end(request.body ?? undefined);
  });
}

async function withinTime<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function codeOf(error: unknown): string {
  const { code, name, errors } = error as { code?: unknown; name?: string; errors?: { code?: string }[] };
  if (name === 'AbortError' || name === 'TimeoutError') return 'ETIMEDOUT';
  return String(code ?? errors?.[0]?.code ?? 'failed');
}
