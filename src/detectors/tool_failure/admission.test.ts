import { expect, test } from 'vitest';
import { admissionIn } from './admission.ts';

test.each([
  ['Brake pads: 7 sets are in stock.', 'connect ECONNREFUSED', 'none'],
  ['Your table is booked for eight.', 'timed out after 30 s', 'none'],
  ['The list could not be read.', 'timed out after 30 s', 'admits'],
  ['The scale in hall 3 is still occupied.', 'scale occupied', 'admits'],
  ['Der Dienst ist gerade nicht erreichbar.', 'connect ECONNREFUSED', 'unknown'],
  ['Der Tisch ist für acht Uhr reserviert.', 'connect ECONNREFUSED', 'unknown'],
  ['在庫は確認できませんでした。', 'connect ECONNREFUSED', 'unknown'],
  ['请问您的姓名是什么?', 'user not found', 'unknown'],
])('%s', (text, error, expected) => {
  expect(admissionIn(text, error)).toBe(expected);
});

test.each([
  [
    'Mr. Brandt has your form and is calling you now.',
    'Brandt is on leave, form not sent',
    '{"to":"Mr. Brandt"}',
    'none',
  ],
  ['The scale in hall 3 is occupied.', 'scale occupied', '{"scale":3}', 'admits'],
])('a word that the error repeats from the call is no admission: %s', (text, error, passed, expected) => {
  expect(admissionIn(text, error, passed)).toBe(expected);
});
