import type { Detection } from '../../../src/core/detection.ts';
import type { Step, Trace } from '../../../src/core/trace.ts';
import { runDetectors } from '../../../src/detectors/_runner/run.ts';
import { settingsFor } from '../../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';

export const models = createModelCatalog();

/** Detections of a run at default settings. Detectors have no time limit, so that a busy machine changes nothing. */
export function judged(trace: Trace): readonly Detection[] {
  return runDetectors(trace, { ...settingsFor(DEFAULT_DETECTION, trace.framework), models }).detections;
}

/** Steps that every encoding has: answers, calls, and messages of agents. The span around a run has no output. */
export function isActStep({ kind, agent, output, outputMessages }: Step): boolean {
  if (kind === 'llm' || kind === 'tool') return true;
  const isGiven = outputMessages.some(({ role }) => role === 'system');
  return (kind === 'message' || kind === 'agent') && agent !== null && output !== '' && !isGiven;
}
