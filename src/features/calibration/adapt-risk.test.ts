import { describe, expect, it } from 'vitest';
import { riskRanking } from '../../detectors/_attribution/ranked-risk.ts';
import { riskColumns, TROUBLE_COLUMNS } from '../../detectors/_attribution/run-columns.ts';
import { parseTrace } from '../../detectors/_testing/notation.ts';
import { adaptRisk, type SampledRun } from './adapt-risk.ts';

const SIZE = riskColumns(parseTrace('agent clerk\nllm m -> "done"')).length;
const FIRST_TROUBLE = SIZE - TROUBLE_COLUMNS.length;

/** A run with so many errors, else like all others. */
function run(errors: number, isAlarmed = false): SampledRun {
  const columns = new Float64Array(SIZE).fill(1);
  columns[FIRST_TROUBLE] = errors;
  return { columns, isAlarmed };
}

const runs = (...errors: number[]) => [
  ...errors.map((count) => run(count)),
  ...Array.from({ length: 100 - errors.length }, () => run(0)),
];

function told(some: readonly SampledRun[], from: number | null, reference: readonly (readonly number[])[]): number {
  const rank = riskRanking(reference.map((row) => Float64Array.from(row)));
  return from === null ? 0 : some.filter(({ columns }) => rank(columns) >= from).length;
}

describe('adaptRisk', () => {
  it.each<[string, SampledRun[], number, number, number]>([
    ['reports the worst, all as alarms while there is room', runs(5, 6, 7), 0.05, 3, 3],
    ['reports at most the requested number', runs(1, 2, 3, 4, 5, 6, 7), 0.05, 5, 5],
    ['leaves runs of one rank together', runs(9, 5, 5, 5, 5, 5), 0.05, 1, 1],
    [
      'warns only as far as other alarms leave room',
      [...runs(5, 6, 7).slice(0, 97), run(0, true), run(0, true), run(0, true)],
      0.05,
      3,
      2,
    ],
    ['counts an alarmed run once', [run(9, true), run(8, true), ...runs(5).slice(0, 98)], 0.03, 3, 3],
  ])('%s', (_name, some, target, info, warnings) => {
    const adapted = adaptRisk(some, target, target)!;
    expect(told(some, adapted.from, adapted.reference)).toBe(info);
    expect(told(some, adapted.warningFrom, adapted.reference)).toBe(warnings);
  });

  it('reports nothing if all runs are similar', () => {
    expect(adaptRisk(runs(), 0.05, 0.05)).toBeNull();
  });

  it('keeps no more runs than ranks need', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => run(n));
    expect(adaptRisk(many, 0.05, 0.05)).toMatchObject({ runs: 1_000, share: 0.05, reference: { length: 200 } });
  });
});
