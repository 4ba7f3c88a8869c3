/** Words of a piece with their positions. */
export interface Token {
  word: string;
  start: number;
  end: number;
}

/** Letters and digits of every script, without Unicode classes, which are three times slower. */
const WORD = /[A-Za-z0-9\u00c0-\u1fff\u2c00-\u2dff\u3040-\ud7ff]+(?:['’-][A-Za-z0-9\u00c0-\u1fff]+)*/g;

/** Lower-case words; `offset` is the start of the piece in the whole text. */
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
  /** Largest number of words between this one and the previous one. */
  gap: number;
}

/** Token indices of the slots if they are filled in order from `first`, each within its gap; else null. */
export function fillSlots(tokens: readonly Token[], slots: readonly Slot[], first: number): number[] | null {
  const rest = fillRest(tokens, slots, 1, first);
  return rest === null ? null : [first, ...rest];
}

function fillRest(tokens: readonly Token[], slots: readonly Slot[], slot: number, after: number): number[] | null {
  if (slot === slots.length) return [];
  const { words, gap } = slots[slot]!;
  const last = Math.min(tokens.length - 1, after + 1 + gap);
  for (let index = after + 1; index <= last; index += 1) {
    if (!words.has(tokens[index]!.word)) continue;
    const rest = fillRest(tokens, slots, slot + 1, index);
    if (rest !== null) return [index, ...rest];
  }
  return null;
}
