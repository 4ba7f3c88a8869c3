import { describe, expect, it } from 'vitest';
import type { DetectionType } from '../../core/detection.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { decodeOtlpJson } from '../../formats/otlp/decode-json.ts';
import { encodeOtlpJson } from '../../formats/otlp/encode-json.ts';
import { analyzeSpans } from '../analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../analysis/tenant-detection.ts';
import { DEMO_RUNS, demoSpans } from './demo-spans.ts';

const NOW = Date.parse('2026-05-04T10:20:00Z');
const models = createModelCatalog();

function typesFound(name: string): DetectionType[] {
  const index = DEMO_RUNS.findIndex((run) => run.name === name);
  const { spans, rejections } = decodeOtlpJson(Buffer.from(encodeOtlpJson(demoSpans(NOW)[index]!)));
  expect(rejections).toEqual([]);
  const { result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  expect(result.crashed).toEqual([]);
  return result.detections.filter(({ severity }) => severity !== 'observation').map(({ type }) => type);
}

describe('demo runs', () => {
  const rows: [string, DetectionType | null][] = [
    ['support triage', null],
    ['migration planner', 'loop'],
    ['refund desk', 'tool_failure'],
    ['order workflow', 'state_corruption'],
    ['incident summary', 'context_overflow'],
    ['supplier digest', 'injection'],
    ['museum guide', 'loop'],
  ];
  it.each(rows)('%s shows %s', (name, type) => {
    const types = typesFound(name);
    if (type === null) expect(types).toEqual([]);
    else expect(types).toContain(type);
  });

  it('has a row here for every run', () => {
    expect(rows.map(([name]) => name)).toEqual(DEMO_RUNS.map((run) => run.name));
  });

  it('gives the same spans within an hour, and the same ids within a day', () => {
    expect(demoSpans(NOW + 60_000)).toEqual(demoSpans(NOW));
    const ids = (nowMs: number) => demoSpans(nowMs).map((spans) => spans.map((span) => span.spanId));
    expect(ids(NOW + 4 * 3_600_000)).toEqual(ids(NOW));
    expect(ids(NOW + 24 * 3_600_000)).not.toEqual(ids(NOW));
  });

  it('is in the past', () => {
    const ends = demoSpans(NOW).flatMap((spans) => spans.map((span) => Number(span.endNs ?? 0n) / 1e6));
    expect(Math.max(...ends)).toBeLessThan(NOW);
  });
});
