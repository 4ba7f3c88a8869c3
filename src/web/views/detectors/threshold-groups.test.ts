import { expect, it } from 'vitest';
import { governedSubtypes, groupTexts, thresholdsText } from './threshold-groups.ts';

const firing = (effective: number, override: number | null = null) => ({
  override,
  effective,
  calibrated: 0.3,
  source: override === null ? ('calibrated' as const) : ('override' as const),
});
const reported = (subtype: string, isReported = true) => ({
  subtype,
  maturity: isReported ? ('fact' as const) : ('preview' as const),
  tier: 'experimental' as const,
  reported: isReported,
});
const rowOf = (subtypes: Record<string, ReturnType<typeof firing>>, previews: string[] = []) => ({
  subtypes: Object.keys(subtypes).map((name) => reported(name, !previews.includes(name))),
  threshold: { ...firing(0.51), subtypes, adapted: [] },
  measured: undefined,
});

it.each([
  ['one value', rowOf({ cyclic: firing(0.3), stalled: firing(0.3) }), '0.30'],
  ['several values', rowOf({ cyclic: firing(0.51), stalled: firing(0.3), polling: firing(0.3) }), '0.30, 0.51'],
  ['a preview does not count', rowOf({ cyclic: firing(0.51), guess: firing(0.3) }, ['guess']), '0.51'],
  ['previews only', rowOf({ guess: firing(0.3) }, ['guess']), '0.30'],
  ['not loaded', { ...rowOf({}), threshold: undefined }, ''],
])('the thresholds of a detector: %s', (_case, row, text) => {
  expect(thresholdsText(row)).toBe(text);
});

it('a subtype with its own threshold is not governed by that of the detector', () => {
  expect(governedSubtypes(rowOf({ cyclic: firing(0.8, 0.8), stalled: firing(0.3) }))).toMatchObject([
    { subtype: 'cyclic', effective: 0.8, hasOwn: true },
    { subtype: 'stalled', effective: 0.3, hasOwn: false },
  ]);
});

const many = (effective: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `Failure ${index}`, effective }));

it.each([
  [[{ title: 'Cycle', effective: 0.51 }], ['0.51: Cycle']],
  [many(0.3, 2), ['0.30: all 2 subtypes']],
  [
    [...many(0.3, 6), { title: 'Cycle', effective: 0.51 }, { title: 'Repeat', effective: 0.51 }],
    ['0.51: Cycle; Repeat', '0.30: 6 other subtypes'],
  ],
])('groups %#', (subtypes, texts) => {
  expect(groupTexts(subtypes)).toEqual(texts);
});
