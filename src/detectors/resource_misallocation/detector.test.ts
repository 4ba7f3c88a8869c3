import { expect, test } from 'vitest';
import type { Trace } from '../../core/trace.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace, type StepDraft } from '../_testing/trace-draft.ts';
import { resourceMisallocation } from './detector.ts';
import { isOtherModel } from './model-family.ts';

const PAGE = 'the page lists ferry lines between the islands';
const run = (result: string, tokens = '900/20') => `
agent surfer
repeat 9
  llm gpt-4o ${tokens} -> "next"
  tool search_web {"page":"{n}"} -> ${result}
agent writer
llm gpt-4o 100/20 -> "There are ferry lines."`;

const REQUEST = [{ role: 'user', name: null, content: 'Is basil a perennial?', toolCalls: [], toolCallId: null }];

/** Calls of models in a row, each an answer to the same question unless overridden. */
function calls(...drafts: Partial<StepDraft>[]): Trace {
  const draft = emptyDraft();
  const parent = addStep(draft, { kind: 'chain', name: 'desk' });
  for (const more of drafts)
    addStep(draft, { kind: 'llm', agent: 'desk', parent, inputMessages: REQUEST, output: 'No.', ...more });
  return finishTrace(draft);
}

const OVERLOADED = { type: '529', message: 'Overloaded' };

const rows: DetectorRow[] = [
  {
    name: 'model_fallback: the answer names another model',
    trace: calls({ model: 'gpt-4o', facts: { answeredBy: 'gpt-4o-mini-2024-07-18' } }),
    fires: [{ subtype: 'model_fallback', step: 1, agent: 'desk', severity: 'info', text: 'asked for gpt-4o' }],
  },
  {
    name: 'model_fallback: twice is one detection',
    trace: calls(
      { model: 'claude-opus-4', facts: { answeredBy: 'claude-haiku-4' } },
      { model: 'claude-opus-4', facts: { answeredBy: 'claude-haiku-4' } },
    ),
    fires: [{ subtype: 'model_fallback', text: '2 times' }],
  },
  {
    name: 'model_fallback: a failed call is retried with another model',
    trace: calls({ model: 'claude-sonnet-4', error: OVERLOADED, output: '' }, { model: 'gpt-4o' }),
    fires: [{ subtype: 'model_fallback', step: 2, severity: 'info', text: 'in its place at step 2' }],
  },
  {
    name: 'model_fallback: a default value instead of an answer',
    trace: calls({ model: 'gpt-4o', error: OVERLOADED, facts: { errorFallback: 'default_value' } }),
    fires: [{ subtype: 'model_fallback', severity: 'warning', text: 'default value' }],
  },
  {
    name: 'silent: the dated version of the requested model',
    trace: calls({ model: 'gpt-4o', facts: { answeredBy: 'gpt-4o-2024-08-06' } }),
    silent: true,
  },
  {
    name: 'silent: a failed call is retried with the same model',
    trace: calls({ model: 'gpt-4o', error: OVERLOADED, output: '' }, { model: 'gpt-4o-2024-08-06' }),
    silent: true,
  },
  {
    name: 'silent: another model answers another question',
    trace: calls(
      { model: 'gpt-4o', error: OVERLOADED, output: '' },
      { model: 'claude-sonnet-4', inputMessages: [{ ...REQUEST[0]!, content: 'Sum it up.' }] },
    ),
    silent: true,
  },
  {
    name: 'barren_agent: pages without new words',
    trace: run(`"${PAGE}"`),
    fires: [{ subtype: 'barren_agent', step: 3, agent: 'surfer', severity: 'warning', text: '8 of its 9' }],
    isPrefixInvariant: false,
  },
  {
    name: 'silent: each page has new words',
    trace: run('"alpha{n} beta{n} gamma{n} delta{n}"'),
    silent: true,
  },
  { name: 'silent: a small share of the tokens', trace: run(`"${PAGE}"`, '5/1'), silent: true },
  { name: 'silent: no tokens are reported', trace: 'agent a\ntool search {} -> "x"', silent: true },
  { name: 'not applicable without steps', trace: '', notApplicable: true },
];

testDetector(resourceMisallocation, rows, { readme: new URL('./README.md', import.meta.url) });

test.each<[asked: string, answered: string, isOther: boolean]>([
  ['gpt-4o', 'gpt-4o-2024-08-06', false],
  ['gpt-4-turbo-preview', 'gpt-4-0125-preview', false],
  ['gpt-35-turbo', 'gpt-3.5-turbo-0125', false],
  ['openai/gpt-4o', 'gpt-4o-2024-11-20', false],
  ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022', false],
  ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-sonnet-4-20250514', false],
  ['gemini-flash-latest', 'gemini-2.5-flash-preview-09-2025', false],
  ['models/gemini-1.5-pro', 'gemini-1.5-pro-002', false],
  ['llama3-70b-8192', 'meta-llama/Llama-3.3-70B-Instruct', false],
  ['deepseek-chat', 'DeepSeek-V3', false],
  ['mistral-large-latest', 'mistral-large-2411', false],
  ['o3', 'o3-2025-04-16', false],
  ['openrouter/auto', 'anthropic/claude-sonnet-4', false],
  ['my-deployment', 'gpt-4o-2024-08-06', false],
  ['gpt-4o', 'gpt-4o-mini-2024-07-18', true],
  ['gpt-4.1', 'gpt-4o', true],
  ['gpt-4', 'gpt-3.5-turbo-0613', true],
  ['claude-opus-4-1', 'claude-3-5-haiku-20241022', true],
  ['claude-sonnet-4', 'gpt-4o', true],
  ['gemini-2.5-pro', 'gemini-2.5-flash', true],
  ['llama-3.1-70b', 'llama-3.1-8b-instant', true],
  ['o3', 'o3-mini', true],
])('%s answered by %s is another model: %s', (asked, answered, isOther) => {
  expect(isOtherModel(asked, answered)).toBe(isOther);
});
