import type { Detection } from '../../../src/core/detection.ts';
import { isAtLeast } from '../../../src/core/severity.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../../src/core/thresholds.ts';
import type { Trace } from '../../../src/core/trace.ts';
import { runDetectors } from '../../../src/detectors/_runner/run.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';

const models = createModelCatalog();

/** Detections of a run at default settings or its own, as `type/subtype severity @step`, without observations. */
export function detected(trace: Trace, thresholds: Partial<Thresholds> = {}): string[] {
  const { detections, crashed } = runDetectors(trace, {
    thresholds: { ...DEFAULT_THRESHOLDS, ...thresholds },
    models,
    overrides: {},
    enabled: {},
  });
  return [...crashed.map(({ type, message }) => `${type} crashed: ${message}`), ...linesOf(detections)].sort();
}

export function linesOf(detections: readonly Detection[]): string[] {
  return detections
    .filter(({ severity }) => isAtLeast(severity, 'info'))
    .map(({ type, subtype, severity, step }) => `${type}/${subtype} ${severity} @${step ?? '-'}`);
}

/** Differences of two lists: `- ` before removed lines, `+ ` before new lines. */
export function difference(before: readonly string[], after: readonly string[]): string {
  const removed = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  const added = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  return [...removed, ...added].join(', ');
}
