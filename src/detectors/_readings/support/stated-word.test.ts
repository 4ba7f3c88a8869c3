import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indexSources } from './source-index.ts';
import { isPlainlyStated } from './stated-word.ts';
import { tokenize } from './tokens.ts';

it.each([
  ['Paris', 'We flew to Paris.', true],
  ['paris', 'PARIS, at last', true],
  ['Ann', "Ann's book", true],
  ['art', 'a part', false],
  ['art', 'a part of art', true],
  ['art', 'état d’art', false],
  ["Ann's", "Ann's book", false],
  ['re', "they 're", false],
  ['200', 'costs 1,200', false],
  ['200', 'costs 1 , 200', false],
  ['200', 'costs 200.', true],
  ['200', '200.5', false],
  ['1,200.50', '($1,200.50)', true],
  ['12', '12pm', false],
  ['5', '', false],
])('%s in %s: %s', (word, text, expected) => {
  expect(isPlainlyStated(word, [text.toLowerCase()])).toBe(expected);
});

/** The quick check is a subset of the index: it may miss words, but never finds one that the index does not have. */
it('never finds more than the index', () => {
  const piece = fc.constantFrom(
    ...[
      "don't",
      'Ann',
      "'s",
      'ann',
      '12',
      '1,200',
      '.',
      ',',
      ' ',
      ' ',
      "'",
      'é',
      'İ',
      'part',
      'art',
      '\n',
      '5',
      '中',
      't',
      '!',
      '_',
    ],
  );
  const text = fc.array(piece, { minLength: 8, maxLength: 24 }).map((pieces) => pieces.join(''));
  let result = 0;
  fc.assert(
    fc.property(text, text, (answer, source) => {
      const { ids } = indexSources([source]);
      for (const { raw, key } of tokenize(answer)) {
        if (!isPlainlyStated(raw, [source.toLowerCase()])) continue;
        result += 1;
        expect(ids.has(key)).toBe(true);
      }
    }),
    { seed: 7, numRuns: 3_000 },
  );
  expect(result).toBeGreaterThan(200);
});
