import { expect, test } from 'vitest';
import { sourceFacts, tierText } from './figure-source.ts';

const TRAIL = {
  data_set: 'trail',
  counted_as_real: 'run annotated with Resource Abuse (TRAIL); a detection of info or higher anywhere in it',
  basis: 'as shipped',
  tier: 'experimental',
} as const;

test('the source of figures is shown in words', () => {
  expect(sourceFacts(TRAIL)).toEqual([
    ['Labelled data', 'TRAIL, recorded agent runs that people annotated'],
    ['Counted as a failure', 'run annotated with Resource Abuse (TRAIL)'],
    ['Counted as found', 'a detection of info or higher anywhere in it'],
    ['Seen before', 'The rules were written with these runs, so new runs may have lower figures.'],
  ]);
  expect(sourceFacts({ ...TRAIL, data_set: 'a new set', counted_as_real: null, basis: null })).toEqual([
    ['Labelled data', 'a new set'],
  ]);
  expect(sourceFacts({ ...TRAIL, data_set: null })).toEqual([]);
});

test.each([
  ['experimental', 'Tier experimental: fewer than 50 labelled samples, or an F1 below 0.60 on them.'],
  ['beta', 'Tier beta: an F1 of at least 0.60'],
  ['another', 'Tier another. The maturity'],
])('the tier %s is explained', (tier, text) => expect(tierText(tier)).toContain(text));
