import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes copied per turn of the event loop. The first write to fresh memory is slow: up to about 5 ms per MiB. */
const TURN_BYTES = 2 * 1024 * 1024;

/**
 * Joins the chunks of a body and drops each chunk once it is copied. Large bodies are copied over several turns of the
 * event loop, so that a body of 60 MiB does not delay other requests.
 *
 * @param chunks emptied during the copy
 * @param size sum of their lengths
 */
export async function joinChunks(chunks: Buffer[], size: number, turnBytes = TURN_BYTES): Promise<Buffer> {
  if (chunks.length === 1) return chunks[0] as Buffer;
  if (size <= turnBytes) return Buffer.concat(chunks, size);
  const joined = Buffer.allocUnsafeSlow(size);
  let offset = 0;
  let turnEnd = turnBytes;
  for (const [at, chunk] of chunks.entries()) {
    for (let from = 0; from < chunk.length; ) {
      const to = Math.min(chunk.length, from + turnEnd - offset);
      offset += chunk.copy(joined, offset, from, to);
      from = to;
      if (offset < turnEnd) continue;
      await nextTurn();
      turnEnd = offset + turnBytes;
    }
    chunks[at] = EMPTY;
  }
  return joined;
}

const EMPTY = Buffer.alloc(0);

/** A copy in its own memory, also made over several turns. */
export function copyBytes(bytes: Buffer): Promise<Buffer> {
  return joinChunks([bytes, EMPTY], bytes.length);
}
