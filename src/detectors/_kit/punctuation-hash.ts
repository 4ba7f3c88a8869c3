import type { Step } from '../../core/trace.ts';
import { memoizeByRef } from './memoize.ts';

/** A hash of the punctuation that volatile parts do not contain. Cheap; messages with different hashes differ. */
export function punctuationHash(text: string): number {
  let hash = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 128 && IS_HASHED[code] === 1) hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash;
}

const IS_HASHED = Uint8Array.from({ length: 128 }, (_, code) =>
  '!"#$%&\'()*;?@[]^`{|}~'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** The hash of a step's output; several rules compare the outputs of a run. */
export const outputPunctuation = memoizeByRef(({ output }: Pick<Step, 'output'>): number => punctuationHash(output));
