import type { AnalysisOutcome } from './analyze-chunks.ts';
import { overrunWords } from './overrun-words.ts';

/** A detector that did not finish on a trace. */
export interface LeftOutDetector {
  detector: string;
  reason: string;
}

/** JSON for the trace's row; null where every detector finished. */
export function encodeLeftOut({ crashed, overran }: Pick<AnalysisOutcome, 'crashed' | 'overran'>): string | null {
  const leftOut: LeftOutDetector[] = [
    ...crashed.map(({ type }) => ({ detector: type, reason: 'failed' })),
    ...overran.map((overrun) => ({ detector: overrun.type, reason: overrunWords(overrun) })),
  ];
  return leftOut.length === 0 ? null : JSON.stringify(leftOut);
}

export function decodeLeftOut(text: string | null): LeftOutDetector[] {
  return text === null ? [] : (JSON.parse(text) as LeftOutDetector[]);
}
