/** Text as one line of at most `limit` characters, with an ellipsis if it is truncated. */
export function shorten(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= limit
    ? line
    : `${line
        .slice(0, limit - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
