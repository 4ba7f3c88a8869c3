import { expect, test } from 'vitest';
import type { Detection, DetectionType } from '../../src/core/detection.ts';
import type { Severity } from '../../src/core/severity.ts';
import type { Outcome, TraceSet } from './outcome.ts';
import { detectorReports, groupReports, offByDefault, rateOf, type Verdict } from './tally.ts';

function verdict(set: TraceSet, outcome: Outcome, found: [DetectionType, Severity][] = []): Verdict {
  const detections = found.map(([type, severity]) => ({ type, severity }) as Detection);
  return {
    id: 'x',
    set,
    outcome,
    bytes: 1000,
    judgement: { detections, notApplicable: ['injection'], crashes: [], ms: 2 },
  };
}

const verdicts = [
  verdict('tau_bench', 'healthy', [
    ['loop', 'warning'],
    ['loop', 'critical'],
    ['tool_failure', 'info'],
  ]),
  ...Array.from({ length: 99 }, () => verdict('tau_bench', 'healthy')),
  verdict('tau_bench', 'failing', [['tool_failure', 'critical']]),
  verdict('trail', 'failing', [['loop', 'observation']]),
];

test('a detector counts once a run, at warning or higher, and beside healthy sets only', () => {
  const reports = detectorReports(verdicts, ['loop', 'tool_failure']);
  expect(reports.get('loop')!.healthy).toMatchObject({ n: 100, fired: 1, rate: 0.01 });
  expect(reports.get('loop')!.failing).toMatchObject({ n: 1, fired: 0 });
  expect(reports.get('tool_failure')).toMatchObject({ healthy: { fired: 0 }, failing: { fired: 1, n: 1 } });
});

test('one in a hundred is tolerated, two are not', () => {
  expect([...offByDefault(detectorReports(verdicts, ['loop']))]).toEqual([]);
  const more = [...verdicts, verdict('tau_bench', 'healthy', [['loop', 'warning']])];
  expect([...offByDefault(detectorReports(more, ['loop']))]).toEqual(['loop']);
});

test('groups tell runs, shares and speed', () => {
  const [healthy, failing] = groupReports(verdicts, new Set(['loop']));
  expect(healthy).toMatchObject({
    set: 'tau_bench',
    n: 100,
    atWarning: { fired: 1 },
    atWarningByDefault: { fired: 0 },
    atCritical: { fired: 1 },
  });
  expect(healthy).toMatchObject({ msPerTrace: 2, msPer100kB: 200, crashes: 0 });
  expect(failing).toMatchObject({ n: 1, atCritical: { fired: 1 } });
});

test('an empty rate says nothing', () => {
  expect(rateOf(0, 0)).toEqual({ n: 0, fired: 0, rate: 0, interval: [0, 1] });
});
