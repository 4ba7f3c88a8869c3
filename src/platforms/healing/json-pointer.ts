import { z } from 'zod';

/** The place in a document to which the changes are applied. */
export const jsonPointer = z
  .string()
  .max(1_000)
  .regex(/^(\/([^~]|~[01])*)?$/, 'must be a JSON pointer such as /agents/0/prompt')
  .default('')
  .describe('Part of the document to change (RFC 6901). Default: the whole document');

/** The reference tokens of the pointer. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
