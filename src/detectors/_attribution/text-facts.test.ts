import { expect, it } from 'vitest';
import { textFacts } from './text-facts.ts';

it('counts lines, digits, capitals, symbols and questions', () => {
  expect(textFacts('A1?\n{}')).toEqual({ lines: 2, digits: 1 / 6, capitals: 1 / 6, symbols: 2 / 6, questions: 1 });
  expect(textFacts('')).toEqual({ lines: 1, digits: 0, capitals: 0, symbols: 0, questions: 0 });
});
