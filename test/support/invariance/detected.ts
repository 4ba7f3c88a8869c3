import type { Detection } from '../../../src/core/detection.ts';
import { isAtLeast } from '../../../src/core/severity.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../../src/core/thresholds.ts';
import type { Trace } from '../../../src/core/trace.ts';
import { runDetectors } from '../../../src/detectors/_runner/run.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';

const models = createModelCatalog();

/** What all detectors report about a run, at default settings unless it sets others, as `type/subtype severity @step`; observations are left out. */
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

/** What one list has and the other has not: `- ` before what is gone, `+ ` before what is new. */
export function difference(before: readonly string[], after: readonly string[]): string {
  const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  const come = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  return [...gone, ...come].join(', ');
}
