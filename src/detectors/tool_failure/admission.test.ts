import { expect, test } from 'vitest';
import { mayAdmit } from './admission.ts';

test.each([
  ['Brake pads: 7 sets are in stock.', 'connect ECONNREFUSED', false],
  ['Your table is booked for eight.', 'timed out after 30 s', false],
  ['The list could not be read.', 'timed out after 30 s', true],
  ['Der Dienst ist gerade nicht erreichbar.', 'connect ECONNREFUSED', true],
  ['在庫は確認できませんでした。', 'connect ECONNREFUSED', true],
])('%s', (text, error, isAdmitted) => {
  expect(mayAdmit(text, error)).toBe(isAdmitted);
});
