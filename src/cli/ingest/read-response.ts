/** A complete HTTP/1.1 response. */
export interface HttpResponse {
  status: number;
  body: Buffer;
}

const HEAD_END = '\r\n\r\n';
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_BODY_BYTES = 1024 * 1024;
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/;
const NO_BODY: readonly number[] = [204, 304];
const CHUNK_SIZE = /^[0-9a-f]{1,8}$/i;

/**
 * Parses the response received so far (RFC 9112); null if it is incomplete.
 * @param isEnded no more data will arrive
 * @throws Error if it is not HTTP, too long, or truncated
 */
export function readResponse(bytes: Buffer, isEnded: boolean): HttpResponse | null {
  const answer = finalAnswer(bytes, isEnded);
  if (answer === null && isEnded) throw new Error('the connection closed before the response was complete');
  return answer;
}

function finalAnswer(bytes: Buffer, isEnded: boolean): HttpResponse | null {
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(HEAD_END);
    if (end === -1) return waitFor(rest.length, MAX_HEAD_BYTES);
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const status = statusOf(statusLine);
    rest = rest.subarray(end + HEAD_END.length);
    // Interim responses, such as 100 and 103.
    if (status < 200 && status !== 101) continue;
    const body = NO_BODY.includes(status) ? rest.subarray(0, 0) : bodyIn(rest, lines, isEnded);
    return body === null ? null : { status, body };
  }
}

function statusOf(line: string): number {
  const status = STATUS_LINE.exec(line)?.[1];
  if (status === undefined) throw new Error('the response is not HTTP/1.1');
  return Number(status);
}

function bodyIn(rest: Buffer, lines: readonly string[], isEnded: boolean): Buffer | null {
  const coding = headerIn(lines, 'transfer-encoding');
  if (coding !== null) {
    if (coding.toLowerCase() !== 'chunked') throw new Error(`the response has the unknown transfer coding ${coding}`);
    return chunksIn(rest);
  }
  const length = headerIn(lines, 'content-length');
  if (length === null) return isEnded ? rest : waitFor(rest.length, MAX_BODY_BYTES);
  const size = /^\d{1,15}$/.test(length) ? Number(length) : Number.NaN;
  if (!(size <= MAX_BODY_BYTES)) throw new Error('the response has an invalid Content-Length');
  return rest.length < size ? null : rest.subarray(0, size);
}

function chunksIn(rest: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd === -1) return waitFor(rest.length, 2 * MAX_BODY_BYTES);
    const size = sizeOfChunk(rest.toString('latin1', at, lineEnd));
    const start = lineEnd + 2;
    // The request did not ask for trailers, so they are not read.
    if (size === 0) return Buffer.concat(parts);
    if (start + size + 2 > rest.length) return waitFor(rest.length, 2 * MAX_BODY_BYTES);
    parts.push(rest.subarray(start, start + size));
    at = start + size + 2;
  }
}

function sizeOfChunk(line: string): number {
  const size = line.split(';', 1)[0]?.trim() ?? '';
  if (!CHUNK_SIZE.test(size)) throw new Error('the response has an invalid chunk size');
  return Number.parseInt(size, 16);
}

function headerIn(lines: readonly string[], name: string): string | null {
  const line = lines.find((one) => one.toLowerCase().startsWith(`${name}:`));
  return line === undefined ? null : line.slice(name.length + 1).trim();
}

function waitFor(length: number, limit: number): null {
  if (length > limit) throw new Error('the response is too long');
  return null;
}
