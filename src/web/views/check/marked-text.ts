export interface Match {
  start: number;
  end: number;
}

/** A part of a checked text. A gap marks omitted text. */
export interface TextPiece {
  kind: 'plain' | 'marked' | 'gap';
  text: string;
}

/** A longer text is shown only around its matches. */
const WHOLE_LENGTH = 4_000;
const CONTEXT = 200;
const LONGEST_MARK = 2_000;
const MAX_MARKS = 50;

/** The text with its matches marked. Of matches within one another the narrowest is marked, as it says most. */
export function markedPieces(text: string, matches: readonly Match[]): TextPiece[] {
  const marks = narrowest(matches).slice(0, MAX_MARKS);
  const isWhole = text.length <= WHOLE_LENGTH;
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { start, end } of marks) {
    addBetween(pieces, text.slice(at, start), { isFirst: at === 0, isLast: false, isWhole });
    const marked = text.slice(start, end);
    pieces.push({ kind: 'marked', text: marked.slice(0, LONGEST_MARK) });
    if (marked.length > LONGEST_MARK) pieces.push(gapOf(marked.length - LONGEST_MARK));
    at = end;
  }
  addBetween(pieces, text.slice(at), { isFirst: at === 0, isLast: true, isWhole });
  return pieces;
}

/** In the order of the text, without overlaps. */
function narrowest(matches: readonly Match[]): Match[] {
  const byLength = [...matches].sort((one, other) => one.end - one.start - (other.end - other.start));
  const kept: Match[] = [];
  for (const match of byLength)
    if (match.end > match.start && !kept.some(({ start, end }) => match.start < end && start < match.end))
      kept.push(match);
  return kept.sort((one, other) => one.start - other.start);
}

interface Position {
  isFirst: boolean;
  isLast: boolean;
  isWhole: boolean;
}

/** Text before, between or after marks: all of a short text, of a long one what is next to a mark. */
function addBetween(pieces: TextPiece[], text: string, { isFirst, isLast, isWhole }: Position): void {
  if (text === '') return;
  const before = isFirst && !isLast ? 0 : CONTEXT;
  const after = isLast && !isFirst ? 0 : CONTEXT;
  const left = text.length - before - after;
  if (isWhole || left <= 0) {
    pieces.push({ kind: 'plain', text });
    return;
  }
  if (before > 0) pieces.push({ kind: 'plain', text: text.slice(0, before) });
  pieces.push(gapOf(left));
  if (after > 0) pieces.push({ kind: 'plain', text: text.slice(-after) });
}

function gapOf(length: number): TextPiece {
  return { kind: 'gap', text: `… ${length.toLocaleString('en-US')} characters …` };
}
