import { describe, expect, it } from 'vitest';
import { readResponse } from './read-response.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const text = (lines: readonly string[]) => bytes(lines.join('\r\n'));

const WHOLE: [string, readonly string[], number, string][] = [
  ['with a length', ['HTTP/1.1 200 OK', 'Content-Length: 2', '', '{}'], 200, '{}'],
  ['with a length of nothing', ['HTTP/1.1 202 Accepted', 'content-length: 0', '', ''], 202, ''],
  ['in chunks', ['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '1', '{', '1;x=y', '}', '0', '', ''], 200, '{}'],
  [
    'in chunks counted in hexadecimal',
    ['HTTP/1.1 200 OK', 'transfer-encoding: Chunked', '', 'A', '0123456789', '0', ''],
    200,
    '0123456789',
  ],
  ['without a body by its status', ['HTTP/1.1 204 No Content', '', ''], 204, ''],
  ['without a reason', ['HTTP/1.1 503', 'Content-Length: 0', '', ''], 503, ''],
  ['of an old server', ['HTTP/1.0 200 OK', 'Content-Length: 1', '', 'x'], 200, 'x'],
  ['behind 100 Continue', ['HTTP/1.1 100 Continue', '', 'HTTP/1.1 422 No', 'Content-Length: 1', '', 'x'], 422, 'x'],
  [
    'behind early hints',
    ['HTTP/1.1 103 Early Hints', 'Link: x', '', 'HTTP/1.1 200 OK', 'Content-Length: 0', '', ''],
    200,
    '',
  ],
  ['that leads elsewhere', ['HTTP/1.1 301 Moved', 'Location: /there', 'Content-Length: 0', '', ''], 301, ''],
];

describe('an HTTP response', () => {
  it.each(WHOLE)('%s is returned when it is complete, and not before', (_name, lines, status, body) => {
    const all = text(lines);
    expect(readResponse(all, false)).toEqual({ status, body: bytes(body) });
    // Only trailers follow the last chunk, and the reader does not wait for them.
    const lastChunk = all.indexOf('\r\n0\r\n');
    const needed = lastChunk === -1 ? all.length : lastChunk + 5;
    for (let length = 0; length < needed; length += 1)
      expect(readResponse(all.subarray(0, length), false), `after ${length} bytes`).toBeNull();
  });

  it('without a length ends with the connection', () => {
    const all = text(['HTTP/1.1 200 OK', '', 'all of it']);
    expect(readResponse(all, false)).toBeNull();
    expect(readResponse(all, true)).toEqual({ status: 200, body: bytes('all of it') });
  });

  it.each<[string, Buffer, boolean, string]>([
    ['nothing at all', bytes(''), true, 'closed before'],
    ['half a head', bytes('HTTP/1.1 200 OK\r\nContent-'), true, 'closed before'],
    ['half a body', text(['HTTP/1.1 200 OK', 'Content-Length: 9', '', 'half']), true, 'closed before'],
    ['half a chunk', text(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '9', 'half']), true, 'closed before'],
    ['an interim answer alone', text(['HTTP/1.1 100 Continue', '', '']), true, 'closed before'],
    ['another protocol', text(['SSH-2.0-OpenSSH_9.2', '', '']), false, 'not HTTP'],
    ['a status that is none', text(['HTTP/1.1 999 What', '', '']), false, 'not HTTP'],
    ['HTTP/2', text(['HTTP/2 200', '', '']), false, 'not HTTP'],
    ['an unrequested encoding', text(['HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked', '', '']), false, 'gzip'],
    ['a length that is none', text(['HTTP/1.1 200 OK', 'Content-Length: -1', '', '']), false, 'Content-Length'],
    ['a length without end', text(['HTTP/1.1 200 OK', 'Content-Length: 99999999', '', '']), false, 'Content-Length'],
    ['a chunk without a size', text(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', 'x', '']), false, 'chunk'],
    ['a head without end', Buffer.alloc(70_000, 'x'), false, 'too long'],
    [
      'a body without end',
      Buffer.concat([text(['HTTP/1.1 200 OK', '', '']), Buffer.alloc(1_100_000)]),
      false,
      'too long',
    ],
  ])('is refused with %s', (_name, all, isEnded, message) => {
    expect(() => readResponse(all, isEnded)).toThrow(message);
  });
});
