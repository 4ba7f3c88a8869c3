import { expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import { decodeHook } from '../hooks/decode-hook.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from './build-trace.ts';

const NOW = 1_800_000_000_000;
const CALL = { tool_name: 'Bash', tool_input: { command: 'dd' }, tool_use_id: 'c' };
type Hook = [event: string, second: number, more?: JsonObject];

function callOf(hooks: readonly Hook[]) {
  const spans = hooks.flatMap(([hook_event_name, second, more]) => {
    const record = { session_id: 's', turn_id: 't', cwd: '/w', hook_event_name, ...more };
    return decodeHook(record, NOW + second * 1000, 'codex').spans;
  });
  const { steps } = buildTrace(mergeSpans(spans), { models: createModelCatalog(), isSettled: false });
  return steps.find(({ kind }) => kind === 'tool');
}

it.each<[string, Hook[], number | null]>([
  [
    'ends with its session',
    [
      ['PreToolUse', 1, CALL],
      ['Stop', 5],
    ],
    5,
  ],
  [
    'ends with an interrupted session',
    [
      ['PreToolUse', 1, CALL],
      ['Interrupt', 4],
    ],
    4,
  ],
  [
    'is open while the session continues',
    [
      ['UserPromptSubmit', 0, { prompt: 'x' }],
      ['PreToolUse', 1, CALL],
    ],
    null,
  ],
  [
    'is open in a session that continues',
    [
      ['Stop', 0],
      ['UserPromptSubmit', 2, { prompt: 'x' }],
      ['PreToolUse', 3, CALL],
    ],
    null,
  ],
  [
    'keeps its own end',
    [
      ['PreToolUse', 1, CALL],
      ['PostToolUse', 2, { ...CALL, tool_response: 'ok' }],
      ['Stop', 5],
    ],
    2,
  ],
  [
    'keeps an end that arrives later',
    [
      ['PreToolUse', 1, CALL],
      ['Stop', 5],
      ['PostToolUse', 6, CALL],
    ],
    6,
  ],
])('a call without a second hook %s', (_title, hooks, second) => {
  expect(callOf(hooks)!.endMs).toBe(second === null ? null : NOW + second * 1000);
});
