import { describe, expect, test } from 'vitest';
import type { JudgedRun } from './judge-runs.ts';
import { runOutcomeOf } from './judge-runs.ts';
import { flagFigures, meanShare, subtypeFigures } from './run-figures.ts';

const run = (over: Partial<JudgedRun>): JudgedRun => ({
  id: 'r',
  set: 'desk',
  group: 'g',
  outcome: 'healthy',
  means: [],
  notApplicable: [],
  detections: [],
  crashes: [],
  framework: 'desk',
  columns: new Float64Array(),
  rank: null,
  ...over,
});
const pingPong = { type: 'coordination', subtype: 'handoff_ping_pong', severity: 'warning' } as const;

test.each([
  [{ reward: 1 }, 'healthy'],
  [{ reward: 0.5 }, 'failing'],
  [{ reward: 1, attack_run: true }, null],
  [{ is_hallucination: true }, null],
])('labels %j mean %s', (labels, expected) => {
  expect(runOutcomeOf({ labels })).toBe(expected);
});

test('an observation flags no run', () => {
  const quiet = run({ detections: [{ ...pingPong, severity: 'observation' }] });
  const loud = run({ outcome: 'failing', detections: [pingPong] });
  expect(flagFigures('all', [quiet, run({}), loud])).toEqual({
    name: 'all',
    healthy: { hits: 0, n: 2 },
    failing: { hits: 1, n: 1 },
    healthyCritical: { hits: 0, n: 2 },
  });
});

describe('a subtype', () => {
  const figuresOf = (runs: JudgedRun[], subtype: string) =>
    subtypeFigures(runs, 'warning').find((one) => one.subtype === subtype);

  test('counts only runs in which it could have fired', () => {
    const runs = [
      run({}),
      run({ means: ['several_agents'] }),
      run({ means: ['several_agents'], notApplicable: ['coordination'] }),
      run({ means: ['several_agents'], detections: [pingPong] }),
    ];
    expect(figuresOf(runs, 'coordination/handoff_ping_pong')).toMatchObject({ healthy: { hits: 1, n: 2 } });
  });

  test('could have fired where it did', () => {
    const runs = [run({ outcome: 'failing', detections: [pingPong] })];
    expect(figuresOf(runs, 'coordination/handoff_ping_pong')).toMatchObject({
      failing: { hits: 1, n: 1 },
      bySource: [{ set: 'desk', healthy: 0, failing: 1 }],
    });
  });
});

test('the mean over sources weighs each source alike and skips empty ones', () => {
  expect(
    meanShare([
      { hits: 1, n: 1 },
      { hits: 0, n: 99 },
      { hits: 0, n: 0 },
    ]),
  ).toBe(0.5);
  expect(meanShare([])).toBeNull();
});
