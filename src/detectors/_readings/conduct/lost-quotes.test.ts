import { expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { toolUses } from '../calls/calls.ts';
import { callAdvice } from './call-advice.ts';
import { lostQuotes, lostQuotesText } from './lost-quotes.ts';

const ran = (command: string, result: string) =>
  `tool bash ${JSON.stringify({ command })} -> ${JSON.stringify(result)}`;
const textOf = (trace: string) => {
  const parsed = parseTrace(`agent clerk\n${trace}`);
  const use = toolUses(parsed).at(-1)!;
  const found = lostQuotes(parsed, use);
  return found === null ? null : lostQuotesText(found, use);
};

const EXPANDED = ran(
  'touch a.log b.log && find . -name "*.log" -size +1k',
  "find: paths must precede expression: `b.log'",
);
const LISTED = ran('find /srv/jars -type f -exec ls -l {} +', '-rw-r--r-- 1 root root 3 /srv/jars/plum');
const MEASURED = ran('find /srv/jars -type f -exec stat -c "%s %n" {} +', "find: missing argument to `-exec'");
const OTHER = ran('find /srv/jars -type f -exec stat -c "%n %s" {} +', "find: missing argument to `-exec'");

it.each([
  [
    'only the first word is printed',
    ran('echo "Two jars are left."', 'Two'),
    'step 0 prints only "Two" of the quoted text "Two jars are left."',
  ],
  [
    'a quoted pattern was expanded',
    EXPANDED,
    'the message of step 0 names "b.log", to which the shell expands "*.log" only if its quotes are lost',
  ],
  [
    'a quoted pattern after an escaped semicolon was expanded',
    ran('find . -type f -exec cat {} \\; -not -path "./logs/*"', "find: paths must precede expression: `./logs/b.log'"),
    'the message of step 0 names "./logs/b.log", to which the shell expands "./logs/*" only if its quotes are lost',
  ],
  [
    'only the calls with quotes fail',
    `${LISTED}\n${MEASURED}\n${OTHER}`,
    'each of the 2 calls of bash with this error has a quoted argument (steps 1 and 2), and step 0 without one worked',
  ],
  [
    'a call of another form with quotes worked',
    `${LISTED}\n${ran('find /srv/jars -type f -printf "%s %p"', '3 /srv/jars/plum')}\n${MEASURED}\n${OTHER}`,
    'each of the 2 calls of bash with this error has a quoted argument (steps 2 and 3), and step 0 without one worked',
  ],
])('reads that a tool loses quotes: %s', (_, trace, text) => {
  expect(textOf(trace)).toBe(text);
});

it.each([
  ['the whole text is printed', ran('echo "Two jars are left."', 'Two jars are left.')],
  ['one word is printed', ran('echo "Two"', 'Two')],
  ['the message quotes the pattern itself', ran('find . -name "*.log" -sizes', "find: unknown predicate `-sizes'")],
  [
    'a call with quotes worked, too',
    `${LISTED}\n${ran('find /srv/jars -type f -exec grep "plum" {} +', 'plum')}\n${MEASURED}\n${OTHER}`,
  ],
  ['no call without quotes worked', `${MEASURED}\n${OTHER}`],
  ['the call without quotes is another one', `${ran('ls /srv/jars', 'plum')}\n${MEASURED}\n${OTHER}`],
])('is silent: %s', (_, trace) => {
  expect(textOf(trace)).toBeNull();
});

it('advises to check the tool instead of the valid command', () => {
  const trace = parseTrace(`agent clerk\n${EXPANDED}`);
  const { obstacle, action } = callAdvice(trace, toolUses(trace)[0]!);
  expect(obstacle.kind).toBe('lost_quotes');
  expect(action).toContain('Check whether bash passes quotes to the shell unchanged: the message of step 0');
});

it('advises to protect the pattern that the shell expanded, because no quotes do not protect it either', () => {
  const trace = parseTrace(`agent clerk\n${EXPANDED}`);
  const { action } = callAdvice(trace, toolUses(trace)[0]!);
  expect(action).toContain(
    'in single quotes or a backslash before its wildcards: without any quotes the shell expands it, too.',
  );
  expect(action).not.toContain('without double quotes');
});
