import { applyPatch } from 'diff';
import { expect, it } from 'vitest';
import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import { addedRule, systemPrompt } from './prompt-rule.ts';

function traceWith(system: string) {
  const inputMessages = [{ role: 'system', name: null, content: system, toolCalls: [], toolCallId: null }];
  return new TraceBuilder().agent('clerk').llm('Done.', { inputMessages }).build();
}

it.each([
  ['one line', 'You help.', '@@ -1,1 +1,2 @@\n You help.\n+Be brief.\n'],
  ['several lines', 'You help.\nAsk first.\n', '@@ -1,2 +1,3 @@\n You help.\n Ask first.\n+Be brief.\n'],
])('is a diff if the system prompt is known: %s', (_, system, hunk) => {
  const change = addedRule(traceWith(system), 'clerk', 'Be brief.');
  expect(change).toMatchObject({ format: 'unified-diff', target: 'clerk instructions' });
  expect(change.after).toBe(`--- a/system-prompt\n+++ b/system-prompt\n${hunk}`);
});

it.each([
  ['short', 'You help.\nAsk first.'],
  ['with Windows line endings', 'You help.\r\nAsk first.\r\n'],
  ['in one long line', 'long '.repeat(300)],
  ['of many lines', Array.from({ length: 400 }, (_, at) => `Rule ${at}: be kind.`).join('\n')],
])('the diff applies to the prompt that it was made from: %s', (_, system) => {
  const { before, after } = addedRule(traceWith(system), 'clerk', 'Be brief.');
  expect(before!.length).toBeLessThanOrEqual(2_001);
  expect(`${system.trimEnd()}\n`.endsWith(before!)).toBe(true);
  expect(applyPatch(before!, after)).toBe(`${before}Be brief.\n`);
});

it('the diff of a long prompt also applies to the whole prompt', () => {
  const system = Array.from({ length: 400 }, (_, at) => `Rule ${at}: be kind.`).join('\n');
  const { after } = addedRule(traceWith(system), 'clerk', 'Be brief.');
  expect(applyPatch(`${system}\n`, after)).toBe(`${system}\nBe brief.\n`);
});

it.each([
  ['another agent', 'You help.', 'boss'],
  ['an empty prompt', '', 'clerk'],
  ['a prompt of one very long line', 'long '.repeat(500), 'clerk'],
])('is the text of the rule without a usable system prompt: %s', (_, system, agent) => {
  expect(addedRule(traceWith(system), agent, 'Be brief.')).toMatchObject({ format: 'text', after: 'Be brief.' });
});

it.each([
  ['after a greeting', ['assistant', 'system', 'user']],
  ['of the developer', ['user', 'developer']],
])('the instruction of an agent is found %s', (_, roles) => {
  const inputMessages = roles.map((role) => ({ role, name: null, content: role, toolCalls: [], toolCallId: null }));
  const trace = new TraceBuilder().agent('clerk').llm('Done.', { inputMessages }).build();
  expect(systemPrompt(trace, 'clerk')).toBe(roles.find((role) => role === 'system' || role === 'developer'));
});
