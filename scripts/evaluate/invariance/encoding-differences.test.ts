import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import type { LabelledRecord } from '../../fit/load-set.ts';
import { TRACE_SETS } from '../outcome.ts';
import { encodedRuns, SENT_ENCODINGS } from './encoding-differences.ts';

const ask = (text: string): JsonObject => ({ agent: 'user', name: 'user', kind: 'message', output: text });
const answer = (text: string): JsonObject => ({ agent: 'porter', name: 'porter', kind: 'llm', output: text });
const call = (output: string): JsonObject => ({
  agent: 'porter',
  name: 'find_parcel',
  kind: 'tool',
  input: '{"lamp":"red"}',
  output,
});

/** Six equal calls. */
const LOOP = [
  ask('Find the red parcel.'),
  ...Array.from({ length: 6 }, () => [answer('I look.'), call('none')]).flat(),
];

function recordOf(steps: readonly JsonObject[]): LabelledRecord {
  const raw = {
    id: 'r1',
    kind: 'trace',
    framework: 'own/gpt-4o',
    task: 'Find the red parcel.',
    labels: {},
    steps: [...steps],
  };
  return {
    id: 'r1',
    dataset: 'own',
    kind: 'trace',
    framework: 'own',
    text: null,
    sources: [],
    labels: {},
    meta: {},
    group: 'r1',
    raw,
  };
}

function runsOf(steps: readonly JsonObject[]) {
  return [...encodedRuns(TRACE_SETS[0], recordOf(steps), SENT_ENCODINGS)];
}

it('sends a run of one agent through every encoding and finds the same', () => {
  const runs = runsOf([...LOOP, answer('It is not there.')]);
  expect(runs.map(({ encoding }) => encoding)).toEqual(SENT_ENCODINGS);
  expect(runs[0]!.before).toContain('loop/exact_repetition info');
  expect(runs.filter(({ lost, gained, moved }) => lost.length + gained.length + moved.length > 0)).toEqual([]);
});

it('does not send the messages of several agents as a chat', () => {
  const other = { agent: 'clerk', name: 'clerk', kind: 'llm', output: 'It is in hall B.' };
  const encodings = runsOf([...LOOP, other]).map(({ encoding }) => encoding);
  expect(encodings).toContain('otel gen_ai');
  expect(encodings).not.toContain('conversation');
  expect(encodings).not.toContain('langsmith');
});
