import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { errorFallbackOf } from './error-fallback.ts';
import { roundsOf } from './rounds.ts';

const LIST = { inputs: { iterator_selector: ['a', 'b', 'c'] } };
const LOOP = { inputs: { loop_count: 3 } };
const completed = (completed_reason: string) => ({ execution_metadata: { completed_reason } });

test.each<[string, string, JsonObject, (number | boolean | null)[]]>([
  ['an iteration that begins', 'iteration', { metadata: { iterator_length: 4 } }, [4, null, null, null]],
  ['an iteration that ends', 'iteration', { ...LIST, outputs: { output: ['x', null, 'z'] } }, [3, null, 2, null]],
  ['results removed', 'iteration', { ...LIST, outputs: { output: ['x'] } }, [3, null, 1, null]],
  ['lists made one', 'iteration', { ...LIST, outputs: { output: [1, 2, 3, 4] } }, [3, null, null, null]],
  ['several lists given', 'iteration', { inputs: { a: [1], b: [2] } }, [null, null, null, null]],
  ['a loop that begins', 'loop', { metadata: { loop_length: 3 } }, [3, null, null, null]],
  ['a loop that ends early', 'loop', { ...LOOP, outputs: { loop_round: 2 } }, [3, 2, null, true]],
  ['a full loop', 'loop', { ...LOOP, outputs: { loop_round: 3 }, ...completed('loop_completed') }, [3, 3, null, false]],
  [
    'a loop whose condition was met in its last round',
    'loop',
    { ...LOOP, outputs: { loop_round: 3 }, ...completed('loop_break') },
    [3, 3, null, true],
  ],
  ['a full loop without a reason', 'loop', { ...LOOP, outputs: { loop_round: 3 } }, [3, 3, null, null]],
])('%s', (_, type, data, expected) => {
  const facts = roundsOf(type, data);
  const names = ['planned', 'run', 'returned', 'left_early'].map((name) => `misstep.rounds.${name}`);
  expect(names.map((name) => facts[name] ?? null)).toEqual(expected);
});

test('other nodes have no rounds', () => expect(roundsOf('llm', LIST)).toEqual({}));

test.each<[string, JsonObject, string | null]>([
  ['the strategy in the metadata', { execution_metadata: { error_strategy: 'default-value' } }, 'default_value'],
  ['a branch', { execution_metadata: { error_strategy: 'fail-branch' } }, 'fail_branch'],
  ['another model', { execution_metadata: { error_strategy: 'fallback-model' } }, 'other_model'],
  ['the strategy as tracing sends it', { error_strategy: 'fail-branch', node_status: 'exception' }, 'fail_branch'],
  [
    'only the error in the outputs',
    { status: 'exception', outputs: { error_message: 'x', error_type: 'y' } },
    'fail_branch',
  ],
  [
    'values next to the error',
    { status: 'exception', outputs: { error_message: 'x', text: 'later' } },
    'default_value',
  ],
  ['a plain failure', { status: 'failed', outputs: null }, null],
  ['a strategy of a node that succeeded', { status: 'succeeded', outputs: { text: 'x' } }, null],
  ['an unknown word', { status: 'failed', execution_metadata: { error_strategy: 'toString' } }, null],
])('the replacement is read from %s', (_, data, expected) => {
  expect(errorFallbackOf(data)).toBe(expected);
});
