/** Words of a piece of text with where they stand. */
export interface Token {
  word: string;
  start: number;
  end: number;
}

/** Letters and digits of every script, without the classes of Unicode, which cost three times as much. */
const WORD = /[A-Za-z0-9\u00c0-\u1fff\u2c00-\u2dff\u3040-\ud7ff]+(?:['’-][A-Za-z0-9\u00c0-\u1fff]+)*/g;

/** Lower-case words; `offset` is where the piece stands in the whole text. */
export function tokensOf(piece: string, offset: number): Token[] {
  const tokens: Token[] = [];
  for (const match of piece.matchAll(WORD)) {
    const start = offset + match.index;
    tokens.push({ word: match[0].toLowerCase().replaceAll('’', "'"), start, end: start + match[0].length });
  }
  return tokens;
}

export interface Slot {
  words: ReadonlySet<string>;
  /** How many words may stand between this one and the one before. */
  gap: number;
}

/** Token indices of the slots where they are filled in order from `first` on, each within its gap; null if they are not. */
export function fillSlots(tokens: readonly Token[], slots: readonly Slot[], first: number): number[] | null {
  const rest = fill(tokens, slots, 1, first);
  return rest === null ? null : [first, ...rest];
}

function fill(tokens: readonly Token[], slots: readonly Slot[], slot: number, after: number): number[] | null {
  if (slot === slots.length) return [];
  const { words, gap } = slots[slot]!;
  const last = Math.min(tokens.length - 1, after + 1 + gap);
  for (let index = after + 1; index <= last; index += 1) {
    if (!words.has(tokens[index]!.word)) continue;
    const rest = fill(tokens, slots, slot + 1, index);
    if (rest !== null) return [index, ...rest];
  }
  return null;
}
