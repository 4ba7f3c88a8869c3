import { expect, test } from 'vitest';
import { fixProblems } from '../src/detectors/_testing/fix-contract.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { toFixRecords } from '../src/features/detections/fix.record.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { allRuns } from './support/all-runs.ts';

const models = createModelCatalog();
const found = allRuns().flatMap(([name, spans]) => {
  const { trace, result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  return result.detections.map((detection) => ({ name, trace, detection }));
});

test('the fixes of every fixture and demo run name their subject, and their patches apply', () => {
  expect(found.length).toBeGreaterThan(20);
  const problems = found.flatMap(({ name, trace, detection: { type, subtype, fixes } }) =>
    fixProblems(trace, fixes).map((problem) => `${name}: ${type}/${subtype} ${problem}`),
  );
  expect(problems).toEqual([]);
});

test('every fix has a unique id', () => {
  const ids = found.flatMap(({ detection }, at) =>
    toFixRecords(`det_${at}`, detection.fixes, {}).map(({ fix_id }) => fix_id),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('recorded runs give diffs and patches', () => {
  const formats = found.flatMap(({ detection }) =>
    detection.fixes.flatMap(({ changes }) => changes.map((c) => c.format)),
  );
  expect(formats.filter((format) => format === 'unified-diff').length).toBeGreaterThan(0);
  expect(formats.filter((format) => format === 'json-patch').length).toBeGreaterThan(0);
});
