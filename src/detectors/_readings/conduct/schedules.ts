const MAX_TEXT_LENGTH = 20_000;
/** Largest number that a schedule counts to. */
const MAX_NUMBER = 400;

/** A word, also as a part of an identifier: `stay_oslo`. */
const WORD = /[\p{L}\p{N}]+/gu;

/** What a schedule such as `Day 1 to 4: Oslo` gives to each name, in numbered units. */
export type Schedule = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * The units that a text assigns to each of these names (lower case): the numbers after the unit in the lines that contain
 * the name. A number counts for each name in its line, so the count is an upper bound. Null if a number from 1 to the last
 * one has no line with a name: then the names do not show who has it.
 */
export function scheduleIn(text: string, unit: string, names: readonly string[]): Schedule | null {
  const all = new Set<number>();
  const schedule = new Map(names.map((name) => [name, new Set<number>()]));
  for (const line of text.slice(0, MAX_TEXT_LENGTH).toLowerCase().split('\n')) {
    const lineWords = new Set(line.match(WORD));
    const own = names.filter((name) => lineWords.has(name));
    if (own.length === 0) continue;
    for (const [from, to] of numberedRanges(line, unit.toLowerCase())) {
      for (let number = from; number <= Math.min(to, MAX_NUMBER); number += 1) {
        all.add(number);
        for (const name of own) schedule.get(name)!.add(number);
      }
    }
  }
  const last = Math.max(0, ...all);
  for (let number = 1; number <= last; number += 1) if (!all.has(number)) return null;
  return last === 0 ? null : schedule;
}

const LETTER = /\p{L}/u;
/** What follows the unit: `day 1`, `days 1`, `day_1`. */
const NUMBER = /^s?[ _]?(\d{1,3})(?!\d)/;
const NUMBER_CHARACTERS = 8;
/** Between the two numbers of a range. */
const RANGE_SIGN = /^\s?(?:[-–—→]|to|until|through|bis|à|al?|t\/m)\s?/u;
const SIGN_CHARACTERS = 12;

/** The numbers after each occurrence of the unit in a line, as ranges: `day 3`, `day 1-4`, `day 1 to day 4`. */
function numberedRanges(line: string, unit: string): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (let at = line.indexOf(unit); at !== -1; at = line.indexOf(unit, at + unit.length)) {
    const first = at > 0 && LETTER.test(line[at - 1]!) ? null : numberAt(line, at + unit.length);
    if (first === null) continue;
    const sign = RANGE_SIGN.exec(line.slice(first.end, first.end + SIGN_CHARACTERS))?.[0] ?? '';
    const start = first.end + sign.length;
    const last = sign === '' ? null : numberAt(line, line.startsWith(unit, start) ? start + unit.length : start);
    ranges.push([first.value, last?.value ?? first.value]);
  }
  return ranges;
}

function numberAt(line: string, at: number): { value: number; end: number } | null {
  const match = NUMBER.exec(line.slice(at, at + NUMBER_CHARACTERS));
  return match === null ? null : { value: Number(match[1]), end: at + match[0].length };
}
