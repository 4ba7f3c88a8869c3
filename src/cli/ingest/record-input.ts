import { fstatSync, readSync } from 'node:fs';
import type { RecordInput } from '../io.ts';

const STDIN = 0;
const PART_BYTES = 64 * 1024;

/**
 * Standard input, read directly from its descriptor if that is a pipe, a socket or a file: loading Node's stream
 * takes longer than all other work of a hook. A terminal, and a non-blocking descriptor, use the stream.
 */
export function recordInput(stream: () => RecordInput): RecordInput {
  return canReadDirectly() ? { [Symbol.asyncIterator]: () => partsOf(stream) } : stream();
}

function canReadDirectly(): boolean {
  try {
    const stat = fstatSync(STDIN);
    return stat.isFIFO() || stat.isSocket() || stat.isFile();
  } catch {
    return false;
  }
}

async function* partsOf(stream: () => RecordInput): AsyncGenerator<Buffer | string> {
  for (;;) {
    const part = readPart();
    if (part === 'not_now') return yield* stream();
    if (part.length === 0) return;
    yield part;
  }
}

/** Empty at the end of the input. */
function readPart(): Buffer | 'not_now' {
  const part = Buffer.allocUnsafe(PART_BYTES);
  try {
    return part.subarray(0, readSync(STDIN, part));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return 'not_now';
    if (code === 'EOF') return part.subarray(0, 0);
    throw error;
  }
}
