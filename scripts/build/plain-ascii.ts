const NOT_ASCII = /[^\0-\x7f]/g;
const RAW_TEMPLATE = /\braw`[^`]*[^\0-\x7f]/;

/**
 * Escapes what the bundler leaves beyond ASCII: the insides of regular expressions. One byte a character keeps the
 * text half as large in memory, and every decoding reads it alike.
 * @throws Error if a raw template holds such a character, because there an escape would mean something else
 */
export function toPlainAscii(code: string): string {
  if (RAW_TEMPLATE.test(code)) throw new Error('a raw template holds characters beyond ASCII: write them as escapes');
  return code.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
