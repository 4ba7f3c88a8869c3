import type { Span } from '../../../src/core/span.ts';
import { analyzeSpans } from '../../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';
import { linesOf } from './detected.ts';

const models = createModelCatalog();

/** Detections of a run at default settings. Step numbers count only model calls and tool calls, so that encodings can be compared. */
export function detectedIn(spans: Span[]): string[] {
  const { trace, result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  const acts = trace.steps.filter(({ kind }) => kind === 'llm' || kind === 'tool').map(({ index }) => index);
  const placed = result.detections.map((one) => ({ ...one, step: one.step === null ? null : acts.indexOf(one.step) }));
  return linesOf(placed).sort();
}
