import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { ownVerdict } from './own-verdict.ts';

const verdictOn = (text: string) =>
  ownVerdict(parseTrace(`agent surfer\ntool open_page {"url":"a"} -> "page"\n${text}`));

it.each([
  ['done {"text":"The page asks for a login.","success":false}', 'success: false'],
  ['finish {"answer":"none","task_completed":false}', 'task_completed: false'],
  ['complete_task {"status":"failed"}', 'status: failed'],
])('reads the mark of the agent: %s', (call, mark) => {
  expect(verdictOn(`tool ${call} -> "ok"`)).toMatchObject({ subtype: 'ended_as_failed', step: 1 });
  expect(verdictOn(`tool ${call} -> "ok"`)!.explanation).toContain(mark);
});

it.each([
  ['the task is marked as done', 'tool done {"text":"It costs 4.","success":true} -> "ok"'],
  ['the mark belongs to a call that does not end the run', 'tool save_report {"success":false} -> "ok"'],
  ['the run continued', 'tool done {"success":false} -> "try again"\ntool done {"success":true} -> "ok"'],
  ['the flag says something else', 'tool finish {"answer":"closed","notify":false} -> "ok"'],
  ['the answer contains the word', 'tool finish {"answer":"failed","status":"ok"} -> "ok"'],
])('is silent: %s', (_, text) => {
  expect(verdictOn(text)).toBeNull();
});
