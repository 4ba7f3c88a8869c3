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
  'giveup {"confirm":true}',
  'give_up {"reason":"The server does not answer."}',
  'exit_forfeit {}',
  'abandonTask {}',
  'aufgeben {}',
  'rendirse {"motivo":"cerrado"}',
])('reads the name of the call: %s', (call) => {
  const verdict = verdictOn(`tool ${call} -> "ok"`);
  expect(verdict).toMatchObject({ subtype: 'ended_as_failed', step: 1 });
  expect(verdict!.explanation).toContain(`called ${call.split(' ')[0]}`);
});

it('a verdict that only the name of the call shows is weak', () => {
  expect(verdictOn('tool give_up {"reason":"closed"} -> "ok"')).toMatchObject({ score: 0.5 });
  expect(verdictOn('tool finish {"reason":"closed","success":false} -> "ok"')).toMatchObject({ score: 0.7 });
});

it.each(['N/A', 'unknown.', 'keine Angabe', 'inconnu', 'desconocido', '不明'])(
  'reads an answer without content: %s',
  (answer) => {
    const call = `tool submit_answer ${JSON.stringify({ answer })} -> "ok"`;
    expect(verdictOn(call)).toMatchObject({ subtype: 'ended_as_failed', step: 1 });
    expect(verdictOn(`${call}\nllm m -> "The page does not show it."`)!.explanation).toContain(
      `"${answer}" in place of an answer`,
    );
  },
);

it('reads a text that names the way in which the run returns', () => {
  expect(verdictOn('tool Finish {"return_type":"give_up_and_restart"} -> "ok"')).toMatchObject({ step: 1 });
});

it.each([
  ['the task is marked as done', 'tool done {"text":"It costs 4.","success":true} -> "ok"'],
  ['the mark belongs to a call that does not end the run', 'tool save_report {"success":false} -> "ok"'],
  ['the run continued', 'tool done {"success":false} -> "try again"\ntool done {"success":true} -> "ok"'],
  ['the flag says something else', 'tool finish {"answer":"closed","notify":false} -> "ok"'],
  [
    'the run continued after the agent gave up a part',
    'tool give_up {"part":"b"} -> "ok"\ntool finish {"answer":"4"} -> "ok"',
  ],
  ['a lookup about given things', 'tool list_given_upgrades {"of":"b"} -> "none"'],
  ['the answer is that there is none', 'tool submit_answer {"answer":"none"} -> "ok"'],
  ['a value is stored as unknown', 'tool set_owner {"owner":"unknown"} -> "ok"'],
  ['an order is cancelled', 'tool cancel_order {"id":"7"} -> "ok"'],
  ['the call failed', 'tool give_up {"reason":"b"} !! NotAllowed: no'],
  ['the answer contains the word', 'tool finish {"answer":"failed","status":"ok"} -> "ok"'],
])('is silent: %s', (_, text) => {
  expect(verdictOn(text)).toBeNull();
});
