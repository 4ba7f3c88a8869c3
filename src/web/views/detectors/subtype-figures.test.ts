import { expect, test } from 'vitest';
import { failingShare, foundShare } from './subtype-figures.ts';

const share = (fired: number, could_fire: number) => ({ fired, could_fire });

test.each([
  ['no such run', null, null, 'no such runs'],
  ['a source without such runs', share(0, 0), null, 'no such runs'],
  ['one run', share(0, 1), null, '0 of 1 run'],
  ['few runs', share(2, 4), null, '2 of 4 runs'],
  ['enough runs', share(5, 7), '71.4 %', '5 of 7'],
])('found in %s', (_case, found, rate, counted) => expect(foundShare(found)).toMatchObject({ rate, counted }));

test.each([
  ['no run that could have it', null, null, null, null, 'not measured'],
  ['no such runs on either side', share(0, 0), share(0, 0), null, null, 'not measured'],
  ['runs without it', share(0, 784), share(0, 938), null, null, 'in no run'],
  ['no healthy run that could have it', share(0, 0), share(5, 7), 1, null, '5 of 5 runs'],
  ['one healthy run', share(1, 1_006), share(0, 1_094), 0, null, '0 of 1 run'],
  ['four runs', share(0, 538), share(4, 498), 1, null, '4 of 4 runs'],
  ['enough runs', share(1, 531), share(5, 728), 5 / 6, 5 / 6, '5 of 6 runs'],
])('share of failing runs: %s', (_case, left_out_healthy, left_out_failing, outcome_precision, value, counted) => {
  const figure = failingShare({ outcome_precision, left_out_healthy, left_out_failing });
  expect(figure).toMatchObject({ value, counted });
});
