import { expect, it } from 'vitest';
import { closingAdmission, outcomeSentence } from './closing-sentence.ts';

const START = 'I looked at the timetable of the ferry and at the notice board of the harbour.';

it.each([
  [
    'an admission at the end',
    `${START} Therefore, the departure could not be found.`,
    'Therefore, the departure could not be found.',
  ],
  [
    'an admission before the last sentence',
    `${START} I was unable to open the page. It stays blank.`,
    'I was unable to open the page.',
  ],
  ['another language', `${START}\n出発時刻は確認できません。`, '出発時刻は確認できません。'],
  ['an offer', `${START} Let me know if anything failed.`, null],
  ['a word that is no admission by itself', `${START} However, it leaves at nine.`, null],
  ['a report', START, null],
])('admission: %s', (_, text, sentence) => {
  expect(closingAdmission(text)).toBe(sentence);
});

it('prefers an admission to a claim', () => {
  expect(outcomeSentence(`${START} The trip was booked successfully.`)).toBe('The trip was booked successfully.');
  expect(outcomeSentence(`The trip failed. ${START} It has been booked.`)).toBe('The trip failed.');
});
