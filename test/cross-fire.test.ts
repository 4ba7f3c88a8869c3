import { expect, test } from 'vitest';
import type { Detection } from '../src/core/detection.ts';
import type { Span } from '../src/core/span.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { allRuns } from './support/all-runs.ts';

const models = createModelCatalog();

function detectionsOf(spans: Span[]): Detection[] {
  const { result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  expect(result.crashed).toEqual([]);
  return result.detections;
}

function lineOf({ type, subtype, severity, agent, step }: Detection): string {
  return `  ${type}/${subtype} ${severity} ${agent ?? '-'} ${step ?? '-'}`;
}

const found = allRuns().map(([name, spans]) => [name, detectionsOf(spans)] as const);

/** One line per detection, to be reviewed from the view of the user of such a run. */
test('every detector over every fixture and demo run', async () => {
  const table = found.map(([name, detections]) =>
    [name, ...(detections.length === 0 ? ['  clean'] : detections.map(lineOf))].join('\n'),
  );
  await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('golden/cross-fire.txt');
});

test('no error has detections of two detectors on one step', () => {
  const twice = found.flatMap(([name, detections]) => {
    const quotes = detections.flatMap(({ evidence }) => [
      ...new Set(evidence.flatMap(({ kind, quote, spanId }) => (kind === 'error' ? [`${spanId} ${quote}`] : []))),
    ]);
    return quotes.length === new Set(quotes).size ? [] : [name];
  });
  expect(twice).toEqual([]);
});

test('every detection has a suggested action and a business impact', () => {
  for (const [name, detections] of found)
    for (const { suggestedAction, businessImpact, explanation, fixes } of detections) {
      for (const text of [suggestedAction, businessImpact]) expect(text, name).toMatch(/^[A-Z].{15,}\.$/s);
      expect(explanation, name).not.toMatch(/undefined|null|\[object|NaN| {2}|\.\./);
      expect(fixes.flatMap(({ changes }) => changes).length, name).toBeGreaterThan(0);
    }
});
