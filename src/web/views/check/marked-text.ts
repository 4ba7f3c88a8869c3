export interface Match {
  start: number;
  end: number;
}

/** A piece of a checked text. A gap stands for omitted text. */
export interface TextPiece {
  kind: 'plain' | 'marked' | 'gap';
  text: string;
}

/** Of a longer text, only the surroundings of its matches are shown. */
const MAX_FULL_LENGTH = 4_000;
const CONTEXT = 200;
const MAX_MARK_LENGTH = 2_000;
const MAX_MARKS = 50;

/** The text with its matches marked. Of nested matches the narrowest is marked, because it is the most specific. */
export function markedPieces(text: string, matches: readonly Match[]): TextPiece[] {
  const marks = narrowest(matches).slice(0, MAX_MARKS);
  const isShownInFull = text.length <= MAX_FULL_LENGTH;
  const pieces: TextPiece[] = [];
  let position = 0;
  for (const { start, end } of marks) {
    addUnmarked(pieces, text.slice(position, start), {
      isFirst: position === 0,
      isLast: false,
      isWhole: isShownInFull,
    });
    const marked = text.slice(start, end);
    pieces.push({ kind: 'marked', text: marked.slice(0, MAX_MARK_LENGTH) });
    if (marked.length > MAX_MARK_LENGTH) pieces.push(gapPiece(marked.length - MAX_MARK_LENGTH));
    position = end;
  }
  addUnmarked(pieces, text.slice(position), { isFirst: position === 0, isLast: true, isWhole: isShownInFull });
  return pieces;
}

/** The narrowest matches without overlaps, in the order of the text. */
function narrowest(matches: readonly Match[]): Match[] {
  const byLength = [...matches].sort((a, b) => a.end - a.start - (b.end - b.start));
  const selected: Match[] = [];
  for (const match of byLength)
    if (match.end > match.start && !selected.some(({ start, end }) => match.start < end && start < match.end))
      selected.push(match);
  return selected.sort((a, b) => a.start - b.start);
}

interface Position {
  isFirst: boolean;
  isLast: boolean;
  isWhole: boolean;
}

/** Adds the text before, between or after marks: all of a short text, or the context of the marks of a long one. */
function addUnmarked(pieces: TextPiece[], text: string, { isFirst, isLast, isWhole }: Position): void {
  if (text === '') return;
  const before = isFirst && !isLast ? 0 : CONTEXT;
  const after = isLast && !isFirst ? 0 : CONTEXT;
  const remaining = text.length - before - after;
  if (isWhole || remaining <= 0) {
    pieces.push({ kind: 'plain', text });
    return;
  }
  if (before > 0) pieces.push({ kind: 'plain', text: text.slice(0, before) });
  pieces.push(gapPiece(remaining));
  if (after > 0) pieces.push({ kind: 'plain', text: text.slice(-after) });
}

function gapPiece(length: number): TextPiece {
  return { kind: 'gap', text: `… ${length.toLocaleString('en-US')} characters …` };
}
