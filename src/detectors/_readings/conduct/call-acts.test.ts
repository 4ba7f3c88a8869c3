import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { toolUses } from '../calls/calls.ts';
import { actOf } from './call-acts.ts';

function actsIn(lines: string): string[] {
  const trace = parseTrace(`agent dev\n${lines}`);
  return toolUses(trace).map((use) => actOf(trace, use));
}

describe('a single call with any name', () => {
  it.each([
    ['edit', '{"path":"src/fare.ts","content":"export const fare = 2"} -> "ok"'],
    ['edit', '{"file_path":"/srv/fare.ts","old_string":"1","new_string":"2"} -> "ok"'],
    ['edit', '{"filename":"fare.ts","search":"1","replace":"2"} -> "ok"'],
    ['edit', '{"command":"create","path":"/srv/a.py","file_text":"x"} -> "ok"'],
    ['edit', '{"patch":"*** Begin Patch\\n*** Update File: a.py\\n"} -> "ok"'],
    ['edit', '{"diff":"--- a/a.py\\n+++ b/a.py\\n@@ -1 +1 @@\\n-x\\n+y"} -> "ok"'],
    ['edit', '{"path":"a.ts","edits":[{"old":"1","new":"2"}]} -> "ok"'],
    ['read', '{"path":"src/fare.ts","offset":10,"limit":20} -> "const fare = 1"'],
    ['read', '{"command":"view","path":"/srv/a.py"} -> "x"'],
    ['tests', '{"suite":"all"} -> "2 failed, 7 passed in 1.1s"'],
    ['tests', '{} -> "Tests run: 5, Failures: 1, Errors: 0, Skipped: 0"'],
    ['tests', '{} -> {"passed":4,"failed":1}'],
    ['tests', '{} -> "Failed!  - Failed:     1, Passed:     3, Skipped: 0"'],
    ['code', '{"code":"print(1)"} -> "1"'],
    ['code', '"def area(a):\\n    return a * a\\nprint(area(2))" -> "4"'],
    ['code', '{"input":"import math\\nprint(math.pi)"} -> "3.14"'],
    ['other', '"Which paper imports math?" -> "3"'],
    ['other', '{"answer":"def area(a):\\n    return a * a"} -> "saved"'],
    ['other', '{"path":"src/fare.ts","text":"fare"} -> "3: const fare = 1"'],
    ['other', '{"path":"src/fare.ts","pattern":"fare"} -> "3: const fare = 1"'],
    ['other', '{"path":"src/fare.ts"} -> "deleted"'],
    ['other', '{"path":"logs/ci.log","tail":true} -> "2 failed, 7 passed in 1.1s"'],
    ['other', '{"to":"ada@example.org","body":"The fare is 2."} -> "sent"'],
    ['other', '{"order_id":"A7"} -> {"state":"paid"}'],
  ])('%s: %s', (act, call) => {
    // The last call of a run may be its submission: another one follows.
    expect(actsIn(`tool qkokon ${call}\ntool zupan {"q":"x"} -> "none"`)[0]).toBe(act);
  });
});

it.each([
  ['mcp__desk__python_v2 "1 + 1"', 'code'],
  ['functions.run_python "1 + 1"', 'code'],
  ['ExecutePython "1 + 1"', 'code'],
  ['mcp__desk__bash {"command":"ls -la src"}', 'command'],
  ['mcp__ci__run_tests {"suite":"all"}', 'tests'],
])('a known name with a namespace or a version: %s', (call, act) => {
  expect(actsIn(`tool ${call} -> "ok"\ntool zupan {"q":"x"} -> "none"`)[0]).toBe(act);
});

it('a call with only a path is a read if the result is longer than an acknowledgement', () => {
  const text = Array.from({ length: 20 }, (_, line) => `const fare${line} = ${line};`).join('\\n');
  expect(actsIn(`tool lies {"datei":"x","path":"src/fare.ts"} -> "${text}"`)).toEqual(['other']);
  expect(actsIn(`tool lies {"path":"src/fare.ts"} -> "${text}"`)).toEqual(['read']);
  expect(actsIn(`tool lies {"path":"src"} -> "${text}"`)).toEqual(['other']);
  expect(actsIn(`tool lies {"path":"src/fare.ts"} -> "src/fare.ts: ${text}"`)).toEqual(['other']);
});

describe('a name adds evidence to an argument of its kind', () => {
  it.each([
    ['edit', 'Edit {"file_path":"a.ts"} -> "ok"'],
    ['read', 'Read {"file_path":"a.ts"} -> "x"'],
    ['tests', 'run_tests {} -> "ok"'],
    ['code', 'run_python {"text":"print(1)"} -> "1"'],
    ['wait', 'write_stdin {"session_id":7,"chars":""} -> "running"'],
    ['other', 'write_stdin {"session_id":7,"chars":"y\\n"} -> "ok"'],
    ['wait', 'TaskOutput {"task_id":"b1"} -> "running"'],
    ['wait', 'Bash {"command":"sleep 30"} -> ""'],
    ['command', 'Bash {"command":"sleep 5 && npm test"} -> ""'],
    ['other', 'edit {} -> "ok"'],
  ])('%s: %s', (act, call) => expect(actsIn(`tool ${call}\ntool zupan {"q":"x"} -> "none"`)[0]).toBe(act));
});

describe('waiting', () => {
  const start = 'tool qa {"cmd":"make all"} -> "Process running with session ID 7"';

  it('names the handle that a command had returned, and carries no text', () => {
    expect(actsIn(`${start}\ntool qb {"cell_id":"7","yield_time_ms":1000} -> "running"\nllm m -> "x"`)).toEqual([
      'command',
      'wait',
    ]);
  });

  it.each([
    ['another handle', 'tool qb {"cell_id":"8"} -> "running"'],
    ['with a text', 'tool qb {"cell_id":"7","chars":"y"} -> "running"'],
    ['no handle at all', 'tool qb {"count":7} -> "running"'],
  ])('not: %s', (_, call) => expect(actsIn(`${start}\n${call}\nllm m -> "x"`)[1]).toBe('other'));

  it('does not count a number that comes from a record', () => {
    const look = 'tool list {} -> "order 7"\ntool get {"order_id":7} -> "open"\nllm m -> "x"';
    expect(actsIn(look)).toEqual(['other', 'other']);
  });

  it('does not count a command that had ended', () => {
    const ended = 'tool qa {"cmd":"make all"} exit 0 -> "built 7"\ntool qb {"job":"7"} -> "x"\nllm m -> "x"';
    expect(actsIn(ended)).toEqual(['command', 'other']);
  });
});

describe('submission', () => {
  const look = 'tool offne {"path":"src/fare.ts"} -> "x"';

  it.each([
    'tool abgeben {} -> ""',
    'tool abgeben {"nachricht":"The fare is right."} -> ""',
    'tool abgeben {} -> "diff --git a/a.py b/a.py\\n--- a/a.py\\n+++ b/a.py\\n@@ -1 +1 @@\\n-x\\n+y"',
  ])('%s', (call) => expect(actsIn(`${look}\n${call}`)[1]).toBe('hand_in'));

  it.each([
    ['an answer follows', `${look}\ntool abgeben {} -> ""\nllm m -> "Done."`],
    ['a result comes back', `${look}\ntool queue {} -> "3 waiting"`],
    ['made before', `tool queue {} -> ""\ntool queue {} -> ""`],
    ['it has other arguments', `${look}\ntool mail {"to":"a@example.org","text":"x"} -> ""`],
    ['it failed', `${look}\ntool abgeben {} !! not now`],
  ])('not: %s', (_, lines) => expect(actsIn(lines)[1]).toBe('other'));
});

it('a call without arguments that is recorded by its name is a submission', () => {
  expect(actsIn('tool offne {"path":"src/fare.ts"} -> "x"\ntool abgeben "abgeben" -> ""')[1]).toBe('hand_in');
});
