/** The visible part of a long text. */
export interface TextWindow {
  from: number;
  to: number;
}

/** Characters that are initially shown, and that one click adds. */
const FIRST_LENGTH = 4_000;
const MORE_LENGTH = 20_000;
/** Characters shown before a quote. */
const CONTEXT_LENGTH = 600;

/** The start of the text, or the surroundings of the quote if it is further down. */
export function firstWindow(text: string, quote: string | null): TextWindow {
  const index = quote ? text.indexOf(quote) : -1;
  if (index < 0 || index + quote!.length <= FIRST_LENGTH) return { from: 0, to: codePointBoundary(text, FIRST_LENGTH) };
  const from = Math.max(0, index - CONTEXT_LENGTH);
  return { from: codePointBoundary(text, from), to: codePointBoundary(text, from + FIRST_LENGTH) };
}

export function moreBefore(text: string, { from, to }: TextWindow): TextWindow {
  return { from: codePointBoundary(text, Math.max(0, from - MORE_LENGTH)), to };
}

export function moreAfter(text: string, { from, to }: TextWindow): TextWindow {
  return { from, to: codePointBoundary(text, to + MORE_LENGTH) };
}

/** `index`, or one less, so that no surrogate pair is split. */
function codePointBoundary(text: string, index: number): number {
  if (index >= text.length) return text.length;
  const isLowSurrogate = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
  return isLowSurrogate && index > 0 ? index - 1 : index;
}

/** A piece of the shown text: the quote, which is marked, or text around it. */
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
  for (
    let index = shown.indexOf(quote);
    index >= 0 && pieces.length < MAX_MARKS * 2;
    index = shown.indexOf(quote, last)
  ) {
    if (index > last) pieces.push({ text: shown.slice(last, index), isQuote: false });
    pieces.push({ text: quote, isQuote: true });
    last = index + quote.length;
  }
  if (last < shown.length) pieces.push({ text: shown.slice(last), isQuote: false });
  return pieces;
}
