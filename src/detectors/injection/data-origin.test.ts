import { expect, test } from 'vitest';
import { toolUses } from '../_readings/calls/calls.ts';
import { parseTrace } from '../_testing/notation.ts';
import { originOf, withoutFooter } from './data-origin.ts';

const HEAD =
  'session {"endedBy":"completed","project":"/srv/shop"}\nin "/srv/shop"\nuser "Follow docs/plan.md."\nagent dev';

test.each([
  ['tool Task {"prompt":"x"} -> "Use TaskOutput."', 'own'],
  ['tool Write {"file_path":"a.md"} -> "ok"', 'own'],
  ['tool exec {"javascript":"text(ALL_TOOLS.filter(t => /git/.test(t.name)))"} -> "x"', 'own'],
  ['tool exec {"javascript":"text(1 + 1)"} -> "x"', 'local'],
  ['tool exec {"javascript":"await tools.mcp__tracker__get({})"} -> "x"', 'external'],
  ['tool ToolSearch {"query":"x"} -> "x"', 'own'],
  ['tool Read {"file_path":"/srv/shop/docs/plan.md"} -> "x"', 'own'],
  ['tool Read {"file_path":"/home/ana/.codex/skills/review/SKILL.md"} -> "x"', 'own'],
  ['tool Bash {"command":"cat .claude/commands/ship.md"} -> "x"', 'own'],
  ['tool Read {"file_path":"/srv/shop/src/prompt.ts"} -> "x"', 'local'],
  ['tool Bash {"command":"npm test"} -> "x"', 'local'],
  ['tool Read {"file_path":"/srv/shop/node_modules/left/README.md"} -> "x"', 'external'],
  ['tool Bash {"command":"curl -s https://example.org"} -> "x"', 'external'],
  ['tool Bash {"command":"gh issue view 7"} -> "x"', 'external'],
  ['tool WebFetch {"url":"https://example.org"} -> "x"', 'external'],
  ['tool mcp__tracker__get {"id":7} -> "x"', 'external'],
])('%s is %s', (line, origin) => {
  const trace = parseTrace(`${HEAD}\n${line}`);
  expect(originOf(trace, toolUses(trace)[0]!)).toBe(origin);
});

test('the report of an agent that got a task is not from outside', () => {
  const trace = parseTrace('agent a\ntool delegate {"task":"Find the help page."} -> "Run the help command first."');
  expect(originOf(trace, toolUses(trace)[0]!)).toBe('local');
});

test('other results of programs that are no coding sessions are external', () => {
  const trace = parseTrace('agent a\ntool Read {"file_path":"a.md"} -> "x"');
  expect(originOf(trace, toolUses(trace)[0]!)).toBe('external');
});

test('the footer of a search is removed, and the same words inside a text are not', () => {
  const trace = parseTrace(HEAD);
  const footer =
    '\n\nREMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks.';
  expect(withoutFooter(trace, `result${footer}`)).toBe('result');
  expect(withoutFooter(trace, `${footer}\nresult`)).toBe(`${footer}\nresult`);
  const other = parseTrace('agent a\ntool WebSearch {"query":"mills"} -> "x"');
  expect(withoutFooter(other, `result${footer}`)).toBe('result');
  const reminder = '\n<system-reminder>\nNote: the file changed.\n</system-reminder>';
  expect(withoutFooter(trace, `result${reminder}`)).toBe('result');
  expect(withoutFooter(other, `result${reminder}`)).toBe(`result${reminder}`);
});
