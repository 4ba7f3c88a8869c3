/** Text as a column of every database takes it: PostgreSQL has no NUL in text. */
export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
