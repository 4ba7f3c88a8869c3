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

const times = Array.from({ length: 6 }, (_, hour) => `It is ${hour}:00 now. Is the red parcel there?`);

it.each([
  [
    'new questions with the same call',
    times.flatMap((text) => [ask(text), answer('I look.'), call('none'), answer('No.')]),
  ],
  ['the same answer to the same question', times.flatMap(() => [ask('Is it there?'), answer('It is not there yet.')])],
  [
    'a call that fails after each question',
    times.flatMap((text) => [
      ask(text),
      answer('I look.'),
      { ...call(''), error: 'TimeoutError: no answer' },
      answer('No.'),
    ]),
  ],
])('finds the same in a chat: %s', (_, steps) => {
  const runs = runsOf(steps);
  expect(runs.filter(({ lost, gained }) => lost.length + gained.length > 0)).toEqual([]);
});

const REQUEST =
  'Please run the test suite again and tell me the whole result of the run as it is printed, with every line of it.';
const REPLY =
  'The test suite still prints one failure in the module for dates, in the line that reads the time zone of the user.';

it('finds the same cycle of two agents, with or without spans around their turns', () => {
  const round = [
    { ...answer(REQUEST), agent: 'lead' },
    { ...answer(REPLY), agent: 'coder' },
  ];
  const runs = runsOf([ask('Fix it.'), ...Array.from({ length: 4 }, () => round).flat()]);
  expect(runs[0]!.before).toEqual(['loop/cyclic warning']);
  expect(runs.filter(({ lost, gained }) => lost.length + gained.length > 0)).toEqual([]);
});

it('does not send the messages of several agents as a chat', () => {
  const other = { agent: 'clerk', name: 'clerk', kind: 'llm', output: 'It is in hall B.' };
  const encodings = runsOf([...LOOP, other]).map(({ encoding }) => encoding);
  expect(encodings).toContain('otel gen_ai');
  expect(encodings).not.toContain('conversation');
  expect(encodings).not.toContain('langsmith');
});
