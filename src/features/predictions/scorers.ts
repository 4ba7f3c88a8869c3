import type { Trace } from '../../core/trace.ts';
import { failureRisk } from '../../detectors/_attribution/failure-risk.ts';
import { rankSteps } from '../../detectors/_attribution/rank-steps.ts';
import { trailFindings } from '../../detectors/_attribution/trail-categories.ts';
import { scoreGrounding } from '../../detectors/grounding/score.ts';
import { scoreInjection } from '../../detectors/injection/score.ts';
import { scoreTraceInjection } from '../../detectors/injection/score-trace.ts';
import type { Channel } from './text-channel.ts';

/** The fitted pieces that a prediction asks; null where a piece is not part of this build. */
export interface Scorers {
  injection: ((text: string, channel: Channel) => number) | null;
  /** The surest sign of an injection among what came into a run from outside. */
  traceInjection: ((trace: Trace) => number) | null;
  /** Probability that the text is not supported by its sources; null where the two cannot be compared. */
  grounding: ((text: string, sources: string[]) => number | null) | null;
  failureRisk: ((trace: Trace) => number) | null;
  rankSteps: ((trace: Trace) => { agent: string | null; step: number } | null) | null;
  trailFindings: ((trace: Trace) => { spanId: string; category: string }[]) | null;
}

export const SCORERS: Scorers = {
  injection: scoreInjection,
  traceInjection: scoreTraceInjection,
  grounding: (text, sources) => {
    const { isJudged, score } = scoreGrounding(text, sources);
    return isJudged ? score : null;
  },
  failureRisk,
  rankSteps,
  trailFindings,
};
