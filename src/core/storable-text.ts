/** Text that a column of every database accepts: PostgreSQL has no NUL in text. */
export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
