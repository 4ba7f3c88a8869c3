import { describe, expect, it } from 'vitest';
import { MATURITY } from '../src/detectors/maturity.ts';
import { baseRuns } from './support/invariance/base-runs.ts';
import { detected, difference } from './support/invariance/detected.ts';
import { KNOWN_DIFFERENCES, type KnownDifference } from './support/invariance/known-differences.ts';
import { RENAMES, renamed } from './support/invariance/rename.ts';

const runs = baseRuns().map((run) => ({ ...run, before: detected(run.trace, run.thresholds) }));

describe('runs that each reported subtype fires on', () => {
  it('every reported subtype has a base run', () => {
    const fired = new Set(runs.flatMap(({ before }) => before.map((line) => line.split(' ', 1)[0]!)));
    const reported = Object.entries(MATURITY).flatMap(([type, own]) =>
      Object.entries(own).flatMap(([subtype, { level }]) => (level === 'preview' ? [] : [`${type}/${subtype}`])),
    );
    expect(reported.filter((subtype) => !fired.has(subtype))).toEqual([]);
  });

  it('every base run has a detection', () => {
    expect(runs.filter(({ before }) => before.length === 0).map(({ name }) => name)).toEqual([]);
  });
});

describe.each(RENAMES)('other names: %s', (rename) => {
  it('the same detections at the same steps, except the known differences', () => {
    const isOf = ({ renames }: KnownDifference) => renames.includes(rename);
    const differing = runs.flatMap(({ name, trace, thresholds, before }) => {
      const other = renamed(trace, rename);
      const found = other === null ? '' : difference(before, detected(other.trace, thresholds));
      return found === '' ? [] : [[name, found]];
    });
    const known = KNOWN_DIFFERENCES.filter(isOf).flatMap(({ runs: of }) => Object.entries(of));
    expect(Object.fromEntries(differing)).toEqual(Object.fromEntries(known));
  });

  it('changes most of the runs', () => {
    const changed = runs.filter(({ trace }) => renamed(trace, rename) !== null);
    expect(changed.length).toBeGreaterThan(20);
  });
});
