import type { Detection } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { failedCalls, refusedCalls } from './call-results.ts';

/** Figures of one session of a coding agent: what a list and a week need, small enough to be kept for each session. */
export interface SessionDigest {
  refusals: number;
  failures: number;
  compactions: number;
  /** Models that used tokens and have no known price: the cost is without them. */
  unpricedModels: string[];
}

/** Null for a trace that is no session of a coding agent. */
export function sessionDigest(trace: Trace, _detections: readonly Detection[]): SessionDigest | null {
  if (trace.codingSession === undefined) return null;
  return {
    refusals: refusedCalls(trace).length,
    failures: failedCalls(trace).length,
    compactions: trace.steps.filter(({ compaction }) => compaction !== undefined).length,
    unpricedModels: unpricedModels(trace),
  };
}

export function unpricedModels({ steps }: Trace): string[] {
  const unpriced = steps.filter(
    ({ kind, model, tokens, costUsd }) =>
      kind === 'llm' && model !== null && (tokens.total ?? 0) > 0 && costUsd === null,
  );
  return [...new Set(unpriced.map(({ model }) => model as string))];
}
