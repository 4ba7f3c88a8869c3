import { expect, it } from 'vitest';
import { fixOutcomeParts, fixOutcomeState, runsQuery } from './fix-outcome-text.ts';

const since = '2026-01-15T12:00:00.000Z';
const OF_AGENT = { agent_id: 'planner', workflow_id: null };

it.each([
  [0, 0, 'No run', 'open'],
  [1, 0, 'Not detected in 1 run', 'open'],
  [2, 0, 'Not detected in 2 runs', 'open'],
  [3, 0, 'Not detected in 3 runs', 'holds'],
  [12, 3, 'Detected again in 3 of 12 runs', 'recurred'],
  [1, 1, 'Detected again in 1 of 1 run', 'recurred'],
  [1_000, 0, 'Not detected in 1,000+ runs', 'holds'],
])('%i runs, of which %i have the issue: %s …', (run_count, recurrence_count, text, state) => {
  const outcome = { since, run_count, recurrence_count, ...OF_AGENT };
  const { before, runs } = fixOutcomeParts(outcome);
  expect(before + runs).toBe(text);
  expect(fixOutcomeState(outcome)).toBe(state);
});

it.each([
  [null, / since .*26, \d+:00/],
  ['2026-01-10T12:00:00.000Z', / since .*26, \d+:00/],
  [since, / since it was resolved \(.*26, \d+:00.*\)$/],
])('an issue that was resolved at %s', (resolvedAt, text) => {
  const outcome = { since, run_count: 2, recurrence_count: 0, ...OF_AGENT };
  expect(fixOutcomeParts(outcome, resolvedAt).after).toMatch(text);
});

it.each([
  [{ run_count: 0, ...OF_AGENT }, null],
  [
    { run_count: 2, ...OF_AGENT },
    { agent: 'planner', from: since },
  ],
  [
    { run_count: 2, agent_id: null, workflow_id: 'wf_1' },
    { workflow: 'wf_1', from: since },
  ],
  [{ run_count: 2, agent_id: null, workflow_id: null }, null],
])('the filter for the runs of %j', (runs, query) => {
  expect(runsQuery({ since, recurrence_count: 0, ...runs })).toEqual(query);
});
