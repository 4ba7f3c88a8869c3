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

/** Steps that every encoding has: calls, answers with text, and messages of agents whose spans contain no other. */
export function actSteps({ steps }: Trace): Step[] {
  const parents = new Set(steps.map(({ parent }) => parent));
  return steps.filter((step) => {
    if (step.kind === 'tool') return true;
    if (step.kind === 'llm') return step.output !== '';
    return (step.kind === 'message' || step.kind === 'agent') && isSaid(step) && !parents.has(step.index);
  });
}

function isSaid({ agent, output, outputMessages }: Step): boolean {
  return agent !== null && output !== '' && outputMessages.every(({ role }) => role !== 'system');
}
