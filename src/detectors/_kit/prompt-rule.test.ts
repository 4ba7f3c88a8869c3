import { expect, it } from 'vitest';
import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import { addedRule } from './prompt-rule.ts';

function traceWith(system: string) {
  const inputMessages = [{ role: 'system', name: null, content: system, toolCalls: [], toolCallId: null }];
  return new TraceBuilder().agent('clerk').llm('Done.', { inputMessages }).build();
}

it.each([
  ['one line', 'You help.', '@@ -1 +1,2 @@\n You help.\n+Be brief.'],
  ['several lines', 'You help.\nAsk first.\n', '@@ -2 +2,2 @@\n Ask first.\n+Be brief.'],
])('is a diff where the system prompt is known: %s', (_, system, hunk) => {
  const change = addedRule(traceWith(system), 'clerk', 'Be brief.');
  expect(change).toMatchObject({ format: 'unified-diff', target: 'clerk instructions' });
  expect(change.after).toBe(`--- a/system-prompt\n+++ b/system-prompt\n${hunk}`);
});

it.each([
  ['another agent', 'You help.', 'boss'],
  ['an empty prompt', '', 'clerk'],
  ['a prompt without line breaks', 'long '.repeat(100), 'clerk'],
])('is the rule itself where it is not: %s', (_, system, agent) => {
  expect(addedRule(traceWith(system), agent, 'Be brief.')).toMatchObject({ format: 'text', after: 'Be brief.' });
});
