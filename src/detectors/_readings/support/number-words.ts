const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** `one` is omitted: it is more often a pronoun than a number. */
const VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value) => [word, value] as const).filter(([word]) => word !== 'one'),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
]);

/** The value of an English number word; null for other words. */
export function numberValue(word: string): number | null {
  return VALUES.get(word) ?? null;
}

const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundr', 100],
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
]);

/** The factor of a scale word (`million`), by its stem; 1 for other words. */
export function scaleOf(key: string | undefined): number {
  return (key === undefined ? undefined : SCALES.get(key)) ?? 1;
}
