import { closeSync, openSync, readSync } from 'node:fs';

const SNIFFED_BYTES = 8_192;

/** The first session id in a file of JSON lines; null if its beginning has none, or it cannot be read. */
export function sessionIdInHead(path: string): string | null {
  try {
    const head = readPart(path, 0, SNIFFED_BYTES).toString('utf8');
    return /"sessionId"\s{0,2}:\s{0,2}"([^"\\]{1,200})"/.exec(head)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Up to `length` bytes from `start` on. @throws Error of the file system */
export function readPart(path: string, start: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const read = readSync(file, buffer, filled, length - filled, start + filled);
      if (read === 0) break;
      filled += read;
    }
    return buffer.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}
