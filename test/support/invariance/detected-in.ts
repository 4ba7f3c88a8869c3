import type { Detection } from '../../../src/core/detection.ts';
import type { Span } from '../../../src/core/span.ts';
import type { Step } from '../../../src/core/trace.ts';
import { analyzeSpans } from '../../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';
import { linesOf } from './detected.ts';

const models = createModelCatalog();

/** Detections of a run at default settings. Step numbers count only model calls and tool calls, so that encodings can be compared. */
export function detectedIn(spans: Span[]): string[] {
  const { trace, result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  return placedLines(
    result.detections,
    trace.steps.filter(({ kind }) => kind === 'llm' || kind === 'tool'),
  );
}

/** Lines of detections with step numbers that count only these steps; -1 for the others. */
export function placedLines(detections: readonly Detection[], steps: readonly Step[]): string[] {
  const counted = steps.map(({ index }) => index);
  const placed = detections.map((one) => ({ ...one, step: one.step === null ? null : counted.indexOf(one.step) }));
  return linesOf(placed).sort();
}
