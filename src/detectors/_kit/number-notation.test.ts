import { describe, expect, it } from 'vitest';
import { numberReadings, statedNumbers, valuesIn, withAsciiDigits } from './number-notation.ts';

describe('a written number', () => {
  it.each<[string, number[]]>([
    ['1305', [1305]],
    ['1305.97', [1305.97]],
    ['1305,97', [1305.97]],
    ['1,305.97', [1305.97]],
    ['1.305,97', [1305.97]],
    ['1 305,97', [1305.97]],
    ['1\u00a0305,97', [1305.97]],
    ['1\u202f305,97', [1305.97]],
    ["1'305.97", [1305.97]],
    ['1’305.97', [1305.97]],
    ['1,30,597.50', [130597.5]],
    ['12,34,56,789', [123456789]],
    ['١٬٣٠٥٫٩٧', [1305.97]],
    ['١٣٠٥', [1305]],
    ['۱۳۰۵٫۹۷', [1305.97]],
    ['１，３０５．９７', [1305.97]],
    ['१,३०,५९७.५०', [130597.5]],
    ['1.234.567', [1234567]],
    ['1,234,567', [1234567]],
    ['1.234.567,8', [1234567.8]],
    ['1,305', [1305, 1.305]],
    ['1.305', [1.305, 1305]],
    ['0.305', [0.305]],
    ['1234.567', [1234.567]],
    ['1,30', [1.3]],
    ['007', [7]],
  ])('%s is %j', (written, readings) => {
    expect(numberReadings(written)).toEqual(readings);
  });

  it.each(['1.305.97', '10.0.0.1', '28.11.2026', '10,20,30', '1.2.3', '', 'x', '1,305,97'])(
    '%j is not one number',
    (written) => {
      expect(numberReadings(written)).toEqual([]);
    },
  );
});

describe('the numbers of a text', () => {
  it.each<[string, [string, number[]][]]>([
    ['It costs 1.305,97 €.', [['1.305,97', [1305.97]]]],
    [
      'Il coûte 1 305,97 €, hier 12 €.',
      [
        ['1 305,97', [1305.97]],
        ['12', [12]],
      ],
    ],
    ['CHF 1’305.97', [['1’305.97', [1305.97]]]],
    ['₹1,30,597.50', [['1,30,597.50', [130597.5]]]],
    ['المبلغ ١٬٣٠٥٫٩٧ ريال', [['١٬٣٠٥٫٩٧', [1305.97]]]],
    ['合計１，３０５円', [['１，３０５', [1305, 1.305]]]],
    [
      'in 2024 305 people',
      [
        ['2024', [2024]],
        ['305', [305]],
      ],
    ],
    ['version 1.2.3 at 10.0.0.1', []],
    ['table 5 120 guests', [['5 120', [5120, 120]]]],
    [
      'a 12, b 13',
      [
        ['12', [12]],
        ['13', [13]],
      ],
    ],
  ])('%s', (text, expected) => {
    const found = statedNumbers(text);
    expect(found.map((one) => [one.text, one.readings])).toEqual(expected);
    for (const one of found) expect(text.slice(one.at, one.at + one.text.length)).toBe(one.text);
  });

  it('include the members of a list', () => {
    expect(valuesIn('[10,20,1305.97] 7 8')).toEqual(expect.arrayContaining([10, 20, 1305.97, 7, 8]));
    expect(valuesIn('[1305,22]')).toEqual(expect.arrayContaining([1305, 22]));
  });
});

it('other digits keep their places', () => {
  expect(withAsciiDigits('a٣b５，६')).toBe('a3b5，6');
  expect(withAsciiDigits('５，６')).toBe('5,6');
});
