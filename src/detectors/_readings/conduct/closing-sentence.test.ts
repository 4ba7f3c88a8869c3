import { expect, it } from 'vitest';
import {
  closingAdmission,
  endsOnAdmission,
  openingSentence,
  outcomeSentence,
  statedOutcome,
  statedTrouble,
} from './closing-sentence.ts';

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
  ['an error that the message only quotes', `${START} The text "departure could not be found" is gone.`, null],
  ['an output in a code block', `${START}\n\`\`\`\nSome departures failed\n\`\`\`\nThat is all.`, null],
])('admission: %s', (_, text, sentence) => {
  expect(closingAdmission(text)).toBe(sentence);
});

it.each([
  ['an admission', `${START} The departure could not be found.`, true],
  ['a claim after the admission', `${START} The first search failed. The timetable is now complete.`, false],
  ['an admission after the claim', `${START} The timetable is complete. The departure could not be found.`, true],
  ['a report', START, false],
])('ends on an admission: %s', (_, text, expected) => {
  expect(endsOnAdmission(text)).toBe(expected);
});

it('prefers an admission to a claim', () => {
  expect(outcomeSentence(`${START} The trip was booked successfully.`)).toBe('The trip was booked successfully.');
  expect(outcomeSentence(`The trip failed. ${START} It has been booked.`)).toBe('The trip failed.');
});

it.each([
  ['the first sentence', 'The tide table works. It has two rows.', 'The tide table works.'],
  ['no heading', '## Review\n\nThe tide table is complete. It has two rows.', 'The tide table is complete.'],
  ['no title in bold', '**Review:**\nThe tide table is complete.', 'The tide table is complete.'],
  [
    'no announcement',
    'Here is the new code:\n```\nprint(1)\n```\nIt prints the tide table.',
    'It prints the tide table.',
  ],
  ['another language', '代码运行正常。现在可以使用。', '代码运行正常。'],
  ['no word alone', 'TERMINATE', null],
])('opening: %s', (_, text, sentence) => {
  expect(openingSentence(text)).toBe(sentence);
});

it.each([
  ['a claim that tests pass', 'I corrected the table. All the tests pass now. It is done.', 'All the tests pass now.'],
  [
    'a promise',
    'I am sorry for the confusion. The new table should now pass the tests. Please run it.',
    'The new table should now pass the tests.',
  ],
  ['no advice', 'The table is wrong. You should handle the night, too.', 'The table is wrong.'],
  ['no apology', 'I apologize for the confusion. The table is wrong. Please run it.', 'The table is wrong.'],
  ['nothing but an apology', 'I apologize for the confusion.', null],
])('stated outcome: %s', (_, text, sentence) => {
  expect(statedOutcome(text)).toBe(sentence);
});

it.each([
  ['a verdict', 'Failed - the page stays blank. Next, open the ferry page.', 'Failed - the page stays blank.'],
  ['an admission', 'I could not open the page. Next, open the ferry page.', 'I could not open the page.'],
  ['later sentences do not count', 'Open the ferry page. The page before failed.', null],
  ['a success', 'Success - the page is open.', null],
  ['a plan for the case', 'If it failed, open the ferry page.', null],
])('stated trouble: %s', (_, text, sentence) => {
  expect(statedTrouble(text)).toBe(sentence);
});
