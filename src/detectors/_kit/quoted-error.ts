import { isDecoderError, isPlaceholderError } from '../../core/decoder-error.ts';
import { cut, oneLine } from './text.ts';

/**
 * An error message inside a sentence, in at most `limit` characters: in quotation marks, or without them if a decoder wrote
 * it.
 */
export function quotedError(message: string, limit: number): string {
  if (isPlaceholderError(message)) return 'no error message recorded';
  const shown = cut(oneLine(message), limit).replace(/\.$/, '');
  return isDecoderError(message) ? shown : `"${shown}"`;
}
