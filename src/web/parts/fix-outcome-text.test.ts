import { expect, it } from 'vitest';
import { fixOutcomeState, fixOutcomeText } from './fix-outcome-text.ts';

it.each([
  [0, 0, 'No run since', 'open'],
  [1, 0, 'No detection in 1 run since', 'holds'],
  [12, 0, 'No detection in 12 runs since', 'holds'],
  [12, 3, 'Detected again in 3 of 12 runs since', 'recurred'],
  [1_000, 0, 'No detection in 1,000+ runs since', 'holds'],
])('%i runs, of which %i have the issue: %s …', (run_count, recurrence_count, text, state) => {
  const outcome = { since: '2026-01-15T12:00:00.000Z', run_count, recurrence_count };
  expect(fixOutcomeText(outcome)).toMatch(new RegExp(`^${text.replace('+', '\\+')} .*2026`));
  expect(fixOutcomeState(outcome)).toBe(state);
});
