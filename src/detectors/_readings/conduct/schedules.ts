const MAX_TEXT_LENGTH = 20_000;
/** Largest number that a schedule counts to. */
const MAX_NUMBER = 400;

/** A word, also as a part of an identifier: `stay_oslo`. */
const WORD = /[\p{L}\p{N}]+/gu;

/** What a schedule such as `Day 1 to 4: Oslo` gives to each name, in numbered units. */
export type Schedule = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * The units that a text assigns to each of these names (lower case): the numbers after the unit in the lines that contain the
 * name. `unit` consists of letters. A number counts for each name in its line, so the count is an upper bound. Null if a number from 1 to the last one
 * has no line with a name: then the names do not show who has it.
 */
export function scheduleIn(text: string, unit: string, names: readonly string[]): Schedule | null {
  const numbered = new RegExp(
    `(?<!\\p{L})${unit}s?[ _]?(\\d{1,3})(?:\\s?(?:[-–—→]|to|until|through|bis|à|al?|t/m)\\s?(?:${unit}s?[ _]?)?(\\d{1,3}))?(?!\\d)`,
    'giu',
  );
  const all = new Set<number>();
  const schedule = new Map(names.map((name) => [name, new Set<number>()]));
  for (const line of text.slice(0, MAX_TEXT_LENGTH).split('\n')) {
    const lineWords = new Set(line.toLowerCase().match(WORD));
    const own = names.filter((name) => lineWords.has(name));
    if (own.length === 0) continue;
    for (const [, from, to] of line.matchAll(numbered)) {
      const end = Math.min(Number(to ?? from), MAX_NUMBER);
      for (let number = Number(from); number <= end; number += 1) {
        all.add(number);
        for (const name of own) schedule.get(name)!.add(number);
      }
    }
  }
  const last = Math.max(0, ...all);
  for (let number = 1; number <= last; number += 1) if (!all.has(number)) return null;
  return last === 0 ? null : schedule;
}
