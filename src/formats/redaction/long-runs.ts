import type { TextUnits } from './text-units.ts';

/** 1 for each character code in the set. */
export type CharacterSet = Uint8Array;

export function characterSet(characters: string): CharacterSet {
  const set = new Uint8Array(65_536);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const WORD_CHARACTERS = characterSet(LETTERS_AND_DIGITS);
/** Characters of tokens. */
export const RUN_CHARACTERS = characterSet(`${LETTERS_AND_DIGITS}-._~`);

/**
 * Calls `visit` for every run of at least `shortest` members. Outside runs it reads only every `shortest`-th character,
 * since each run of that length contains one of them. `visit` returns true to stop.
 * @returns whether it stopped
 */
export function visitRuns(
  { codes, length }: TextUnits,
  shortest: number,
  members: CharacterSet,
  visit: (start: number, end: number) => boolean,
): boolean {
  let probe = shortest - 1;
  let from = 0;
  while (probe < length) {
    if (members[codes[probe]!] !== 1) {
      from = probe + 1;
      probe += shortest;
      continue;
    }
    let start = probe;
    while (start > from && members[codes[start - 1]!] === 1) start -= 1;
    let end = probe + 1;
    while (end < length && members[codes[end]!] === 1) end += 1;
    if (end - start >= shortest && visit(start, end)) return true;
    from = end + 1;
    probe = end + shortest;
  }
  return false;
}
