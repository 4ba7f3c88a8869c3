import { describe, expect, test } from 'vitest';
import { DECLARED_MATURITY } from '../../../src/detectors/maturity.ts';
import { ATTACK_FIGURES } from '../../../src/detectors/subtype-records.ts';
import { type AnalyzedRun, atDefaultSettings, runOutcomeOf } from './analyze-runs.ts';
import { flagFigures, meanShare, subtypeFigures } from './run-figures.ts';
import { SEEN_BY_RULES } from './seen-by-rules.ts';

const run = (over: Partial<AnalyzedRun>): AnalyzedRun => ({
  id: 'r',
  set: 'desk',
  group: 'g',
  outcome: 'healthy',
  features: [],
  notApplicable: [],
  detections: [],
  crashes: [],
  framework: 'desk',
  length: 1,
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
  const silent = run({ detections: [{ ...pingPong, severity: 'observation' }] });
  const alarmed = run({ outcome: 'failing', detections: [pingPong] });
  expect(flagFigures('all', [silent, run({}), alarmed])).toEqual({
    name: 'all',
    healthy: { hits: 0, n: 2 },
    failing: { hits: 1, n: 1 },
    healthyCritical: { hits: 0, n: 2 },
  });
});

describe('a subtype', () => {
  const sourcesOf = (runs: AnalyzedRun[], subtype: string) =>
    subtypeFigures(runs).find((one) => one.subtype === subtype)!.sources;
  const inHandoffs = { features: ['several_agents', 'handoffs'] } as const;

  test('counts only runs in which it could have fired', () => {
    const runs = [
      run({}),
      run({ features: ['several_agents'] }),
      run(inHandoffs),
      run({ ...inHandoffs, notApplicable: ['coordination'] }),
      run({ ...inHandoffs, detections: [pingPong] }),
    ];
    expect(sourcesOf(runs, 'coordination/handoff_ping_pong')).toEqual([
      { set: 'desk', healthy: { hits: 1, n: 2 }, failing: { hits: 0, n: 0 } },
    ]);
  });

  test('could have fired in each run in which it fired', () => {
    const runs = [run({ outcome: 'failing', detections: [pingPong] })];
    expect(sourcesOf(runs, 'coordination/handoff_ping_pong')).toMatchObject([{ failing: { hits: 1, n: 1 } }]);
  });

  test('counts at info only if it never has a higher severity', () => {
    const runs = [
      run({
        detections: [
          { type: 'grounding', subtype: 'unsupported_number', severity: 'info' },
          { ...pingPong, severity: 'info' },
        ],
      }),
    ];
    expect(sourcesOf(runs, 'grounding/unsupported_number')).toMatchObject([{ healthy: { hits: 1, n: 1 } }]);
    expect(sourcesOf(runs, 'coordination/handoff_ping_pong')).toEqual([]);
  });
});

test('at default settings previews are observations, facts stay', () => {
  const rephrasing = { type: 'loop', subtype: 'rephrasing', severity: 'warning' } as const;
  const [judged] = atDefaultSettings([run({ detections: [pingPong, rephrasing] })], {
    ...DECLARED_MATURITY,
    coordination: { handoff_ping_pong: { level: 'fact', why: 'It is written there.' } },
    loop: { rephrasing: { level: 'preview' } },
  });
  expect(judged!.detections.map(({ severity }) => severity)).toEqual(['warning', 'observation']);
});

test('the list of sources that rules were chosen on names registered subtypes', () => {
  const registered = subtypeFigures([]).map(({ subtype }) => subtype);
  expect(Object.keys(SEEN_BY_RULES).filter((subtype) => !registered.includes(subtype))).toEqual([]);
});

test('the sources that a rule was chosen on are recorded for every subtype that is declared measured', () => {
  const declared = Object.entries(DECLARED_MATURITY).flatMap(([type, own]) =>
    Object.entries(own).flatMap(([subtype, { level }]) => (level === 'measured' ? [`${type}/${subtype}`] : [])),
  );
  expect(declared.length).toBeGreaterThan(0);
  const recorded = [...Object.keys(SEEN_BY_RULES), ...Object.keys(ATTACK_FIGURES.subtypes)];
  expect(declared.filter((subtype) => !recorded.includes(subtype))).toEqual([]);
});

test('the mean over sources gives each source the same weight and skips empty ones', () => {
  expect(
    meanShare([
      { hits: 1, n: 1 },
      { hits: 0, n: 99 },
      { hits: 0, n: 0 },
    ]),
  ).toBe(0.5);
  expect(meanShare([])).toBeNull();
});
