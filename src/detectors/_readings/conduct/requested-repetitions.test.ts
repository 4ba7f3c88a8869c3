import { expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { isRequestedOften, requestedRepetitions } from './requested-repetitions.ts';

const said = (message: string) => parseTrace(`agent a\nuser ${JSON.stringify(message)}\nllm m -> "Yes."`);

it.each([
  ['Make sure that it is stable for four checks.', [4]],
  ['Take 5 more temperature readings, please.', [5]],
  ['Ping it twice.', [2]],
  ['Prüfe das viermal, dann 3x mit Pause.', [4, 3]],
  ['Nimm fünf Messungen.', [5]],
  ['Fais trois relevés.', [3]],
  ['Haz cuatro comprobaciones.', [4]],
  ['Fai quattro letture.', [4]],
  ['Controleer het vijf keer.', [5]],
  ['Sprawdź pięć razy.', [5]],
  ['Проверь пять раз.', [5]],
  ['4回確認してください。三回でも。', [4, 3]],
  ['Order 4 kettles. Times are given below.', []],
  ['The value 1.5 times the mean.', []],
  ['Find three hotels.', []],
])('reads how often something is to be repeated: %s', (message, times) => {
  expect(requestedRepetitions(said(message))).toEqual(times);
});

it('accepts one call more than requested', () => {
  const trace = said('Check it 4 times.');
  expect([3, 4, 5, 6].map((times) => isRequestedOften(trace, times))).toEqual([true, true, true, false]);
});

it('does not read long material', () => {
  expect(requestedRepetitions(said(`Check it 4 times. ${'The sea is calm. '.repeat(150)}`))).toEqual([]);
});
