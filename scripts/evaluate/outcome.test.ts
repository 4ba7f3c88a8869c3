import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { type Outcome, outcomeOf, type TraceSet } from './outcome.ts';

test.each<[TraceSet, JsonObject, Outcome]>([
  ['tau_bench', { reward: 1 }, 'healthy'],
  ['tau_bench', { reward: 0 }, 'failing'],
  ['swebench_miniswe', { reward: 0.5 }, 'failing'],
  ['agentdojo', { reward: 1, attack_run: false, is_injection: false }, 'healthy'],
  ['agentdojo', { reward: 1, attack_run: true, is_injection: false }, 'attacked'],
  ['asb', { reward: 1 }, 'mixed'],
  ['injecagent', { is_injection: true }, 'attacked'],
  ['trail', { errors: [] }, 'failing'],
  ['masft_human', { failure_modes: [] }, 'mixed'],
  ['masft_ag2_runs', {}, 'mixed'],
])('%s with %o is %s', (set, labels, outcome) => {
  expect(outcomeOf(set, { labels })).toBe(outcome);
});
