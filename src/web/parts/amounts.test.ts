import { expect, test } from 'vitest';
import {
  atLeast,
  costText,
  dollars,
  duration,
  exactWasteText,
  hasModelCall,
  percent,
  pluralize,
  shortCount,
  wasteText,
} from './amounts.ts';

test.each([
  [0, '0 µs'],
  [850, '850 µs'],
  [12_400, '12.4 ms'],
  [999_400, '999 ms'],
  [999_600, '1 s'],
  [4_200_000, '4.2 s'],
  [59_960_000, '1 min 00 s'],
  [185_000_000, '3 min 05 s'],
  [8_040_000_000, '2 h 14 min'],
  [273_600_000_000, '3 d 4 h'],
])('a duration of %i µs is shown as %s', (microseconds, expected) => expect(duration(microseconds)).toBe(expected));

test.each([
  [940, '940'],
  [9_999, '9,999'],
  [31_400, '31 k'],
  [999_700, '1.0 M'],
  [2_100_000, '2.1 M'],
  [120_000_000, '120 M'],
])('a short count of %i is shown as %s', (amount, expected) => expect(shortCount(amount)).toBe(expected));

test('formats dollars, percentages and plurals', () => {
  expect([dollars(0), dollars(0.0002), dollars(0.0123), dollars(12.8)]).toEqual(['$0.00', '<$0.01', '$0.01', '$12.80']);
  expect([percent(0.874), pluralize(1, 'step'), pluralize(1_200, 'step')]).toEqual(['87 %', '1 step', '1,200 steps']);
});

test.each([
  [0, 0, '0 %'],
  [0.004, 0, '< 1 %'],
  [0.005, 0, '1 %'],
  [0.994, 0, '99 %'],
  [0.998, 0, '> 99 %'],
  [1, 0, '100 %'],
  [0.999_8, 1, '> 99.9 %'],
  [0, 1, '0.0 %'],
  [1 / 2_401, 1, '< 0.1 %'],
  [0.000_5, 1, '0.1 %'],
  [11 / 2_401, 1, '0.5 %'],
])('a share of %s with %i digits is shown as %s', (share, digits, expected) => {
  expect(percent(share, digits)).toBe(expected);
});

test.each([
  [null, 'not measured'],
  [0.0123, '$0.01'],
])('a cost of %s is shown as %s', (cost, text) => {
  expect(costText(cost)).toBe(text);
});

test.each([
  [0, 0, 'not measured'],
  [31_400, 0, '31 k tokens'],
  [688_000, 6.93, '$6.93, 688 k tokens'],
])('a waste of %i tokens and %s USD is shown as %s', (tokens, cost, text) => {
  expect(wasteText({ tokens, cost })).toBe(text);
});

test.each([
  [{ cost_usd: null, models: [], total_tokens: 0 }, false],
  [{ cost_usd: null, models: ['local-model'], total_tokens: 0 }, true],
  [{ cost_usd: null, models: [], total_tokens: 20 }, true],
  [{ cost_usd: 0, models: [], total_tokens: 0 }, true],
])('a run with %j has a model call: %s', (run, expected) => {
  expect(hasModelCall(run)).toBe(expected);
});

test.each([
  [{ tokens: 688_210, cost: 1.732_14 }, '$1.73214, 688,210 tokens'],
  [{ tokens: 0, cost: 12 }, '$12.00'],
  [{ tokens: 0, cost: 0.000_001_23 }, '$0.00000123'],
  [{ tokens: 1, cost: 0 }, '1 token'],
  [{ tokens: 0, cost: 0 }, 'not measured'],
])('%j in full is %s', (waste, text) => {
  expect(exactWasteText(waste)).toBe(text);
});

test.each([
  [1, '12 k', '≥ 12 k'],
  [0, '12 k', '12 k'],
  [null, '12 k', '12 k'],
  [1, 'not measured', 'not measured'],
])('with %j partial calls, %s is shown as %s', (partial_usage_calls, text, expected) => {
  expect(atLeast({ partial_usage_calls }, text)).toBe(expected);
});
