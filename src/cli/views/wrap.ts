/** Wraps text at `width` characters; a longer word is on its own line. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const isFirst = current === '';
    if (!isFirst && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = isFirst ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

export function indent(lines: readonly string[], first: string, rest = ' '.repeat(first.length)): string {
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`.trimEnd()).join('\n');
}
