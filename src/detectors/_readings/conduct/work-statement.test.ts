import { expect, it } from 'vitest';
import { workStatement } from './work-statement.ts';

const CODE = '```\nprint(tide)\n```';

it.each([
  ['a claim that tests pass', 'All the tests pass now. It is done. You can run it.', 'All the tests pass now.'],
  ['a promise', `Here is the table.\n${CODE}\nIt should now pass the tests.`, 'It should now pass the tests.'],
  [
    'a claim after the description of an earlier failure',
    `The function is still incomplete.\n${CODE}\nWe can now conclude that the function is implemented correctly.`,
    'We can now conclude that the function is implemented correctly.',
  ],
  [
    'an admission after a claim',
    'The first table is complete. The second one is still incomplete.',
    'The second one is still incomplete.',
  ],
  [
    'a claim of testing',
    'First, I complete the table. The table has been fully implemented and tested.',
    'The table has been fully implemented and tested.',
  ],
  [
    'no item of a list',
    'The table is incomplete.\n1. **Missing rows:** The table should handle the night.',
    'The table is incomplete.',
  ],
  [
    'an item of a list if nothing else is said',
    '* **Missing rows:** The table is incomplete.',
    'The table is incomplete.',
  ],
  ['no advice on the work', 'Save the table while you are working on it.', null],
  [
    'a bold sentence',
    `${CODE}\n**Please note that this code is complete.**`,
    'Please note that this code is complete.',
  ],
  [
    'work handed back to the reader',
    'I see that some rows are wrong. Then update your table until they are right. If you have questions, please ask.',
    'Then update your table until they are right.',
  ],
  ['work that the user has to do', 'Some rows failed. The user needs to try again.', 'The user needs to try again.'],
  ['no condition', 'Once the table is complete, it has two rows.', null],
  ['no earlier version of the reader', 'The code you provided is not complete.', null],
  ['no announcement of a list', 'To correct the table, you can try the following:', null],
  ['no plan', "Let's try running the table again.", null],
  ['no request to the runner', 'The table is wrong. Please run it.', null],
])('%s', (_name, text, expected) => {
  expect(workStatement(text)).toBe(expected);
});
