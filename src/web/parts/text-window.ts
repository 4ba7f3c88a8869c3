/** The part of a long text that is shown. */
export interface TextWindow {
  from: number;
  to: number;
}

/** Characters that are shown at first, and that one click adds. */
const FIRST_LENGTH = 4_000;
const MORE_LENGTH = 20_000;
/** Characters before a quote. */
const LEAD_LENGTH = 600;

/** The start of the text, or the surroundings of the quote where that is further on. */
export function firstWindow(text: string, quote: string | null): TextWindow {
  const at = quote ? text.indexOf(quote) : -1;
  if (at < 0 || at + quote!.length <= FIRST_LENGTH) return { from: 0, to: boundary(text, FIRST_LENGTH) };
  const from = Math.max(0, at - LEAD_LENGTH);
  return { from: boundary(text, from), to: boundary(text, from + FIRST_LENGTH) };
}

export function moreBefore(text: string, { from, to }: TextWindow): TextWindow {
  return { from: boundary(text, Math.max(0, from - MORE_LENGTH)), to };
}

export function moreAfter(text: string, { from, to }: TextWindow): TextWindow {
  return { from, to: boundary(text, to + MORE_LENGTH) };
}

/** At or one before `at`, so that no character outside the basic plane is cut in half. */
function boundary(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLow && at > 0 ? at - 1 : at;
}

/** Pieces of the shown text: those that are the quote are marked. */
export interface TextPiece {
  text: string;
  isQuote: boolean;
}

const MAX_MARKS = 20;

export function piecesOf(text: string, { from, to }: TextWindow, quote: string | null): TextPiece[] {
  const shown = text.slice(from, to);
  if (!quote) return [{ text: shown, isQuote: false }];
  const pieces: TextPiece[] = [];
  let last = 0;
  for (let at = shown.indexOf(quote); at >= 0 && pieces.length < MAX_MARKS * 2; at = shown.indexOf(quote, last)) {
    if (at > last) pieces.push({ text: shown.slice(last, at), isQuote: false });
    pieces.push({ text: quote, isQuote: true });
    last = at + quote.length;
  }
  if (last < shown.length) pieces.push({ text: shown.slice(last), isQuote: false });
  return pieces;
}
