export interface Sentence {
  text: string;
  start: number;
}

/** A full stop, question or exclamation mark followed by space, the marks of other scripts, and line ends. */
const BOUNDARY = /[.!?]["'”’)\]]?(?=\s)|[。！？؟।]|\n+/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|[Mm]rs?|[Mm]s|[Dd]r|[Ss]t|[Pp]rof|[Ss]r|[Jj]r|[Vv]s|[Nn]o|[Ee]tc|[Ii]nc|[Ll]td|[Cc]o|e\.g|i\.e|[A-Z]\.[A-Z])\.$/u;

/** The sentences of a text, without blank ones. Wrong cuts have little effect because sets of words are compared. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  const push = (end: number) => {
    const part = text.slice(start, end);
    const trimmed = part.trim();
    if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push({ text: trimmed, start: start + part.indexOf(trimmed) });
    start = end;
  };
  for (const { 0: mark, index } of text.matchAll(BOUNDARY)) {
    const end = index + mark.length;
    if (mark[0] === '.' && ABBREVIATION.test(text.slice(Math.max(start, end - 8), end))) continue;
    push(end);
  }
  push(text.length);
  return sentences;
}
