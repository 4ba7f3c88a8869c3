import type { AnalysisOutcome } from './analyze-chunks.ts';
import { overrunMessage } from './overrun-message.ts';

/** A detector that did not finish on a trace. */
export interface SkippedDetector {
  detector: string;
  reason: string;
}

/** JSON for the trace's row; null if every detector finished. */
export function encodeSkipped({ crashed, overran }: Pick<AnalysisOutcome, 'crashed' | 'overran'>): string | null {
  const skipped: SkippedDetector[] = [
    ...crashed.map(({ type }) => ({ detector: type, reason: 'failed' })),
    ...overran.map((overrun) => ({ detector: overrun.type, reason: overrunMessage(overrun) })),
  ];
  return skipped.length === 0 ? null : JSON.stringify(skipped);
}

export function decodeSkipped(text: string | null): SkippedDetector[] {
  return text === null ? [] : (JSON.parse(text) as SkippedDetector[]);
}
