import type { EngineResult } from '../../detectors/_runner/run.ts';

/** Message about a detector that exceeded the time limit. */
export function overrunMessage({ ms }: EngineResult['overran'][number]): string {
  if (ms === null) return 'not run, since the time for the trace was up';
  return `cut off after ${(ms / 1000).toFixed(1)} s`;
}
