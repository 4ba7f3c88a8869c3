import { z } from 'zod';

/** The place in a document to which the changes are applied. */
export const jsonPointer = z
  .string()
  .max(1_000)
  .regex(/^(\/([^~]|~[01])*)?$/, 'must be a JSON pointer such as /agents/0/prompt')
  .default('')
  .describe('Part that the changes are about (RFC 6901); the whole where it is left out');

/** The reference tokens of the pointer. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
