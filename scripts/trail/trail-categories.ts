import type { Trace } from '../../src/core/trace.ts';
import { isSmolagentsRun } from './trail-fingerprint.ts';
import { headDetections, headRows } from './trail-head.ts';
import { TRAIL_HEAD } from './trail-model.ts';
import { ruleDetections } from './trail-rules.ts';
import { readTrailRun } from './trail-run.ts';

/** A detection in TRAIL's taxonomy (Deshpande et al. 2025). */
export interface TrailDetection {
  spanId: string;
  category: string;
}

/**
 * Errors of a run with their spans, the most confident first: by rules on any framework, and by the learned head on runs
 * with the structure that it was fitted on.
 */
export function trailDetections(trace: Trace): TrailDetection[] {
  const run = readTrailRun(trace);
  const learned = isSmolagentsRun(trace) ? headDetections(run, headRows(run), TRAIL_HEAD) : null;
  const found = learned ?? ruleDetections(run);
  return found.map(({ spanId, category }) => ({ spanId, category }));
}
