import type { Trace } from '../../core/trace.ts';
import { rankSteps } from '../../detectors/_attribution/rank-steps.ts';
import { scoreGrounding } from '../../detectors/_readings/support/score.ts';
import { scoreInjection } from '../../detectors/injection/score.ts';
import { scoreTraceInjection } from '../../detectors/injection/score-trace.ts';
import type { Channel } from './text-channel.ts';

/** The fitted models of a prediction; null for an omitted one. */
export interface Scorers {
  injection: ((text: string, channel: Channel) => number) | null;
  /** The highest injection score among the texts that came into a run from outside. */
  traceInjection: ((trace: Trace) => number) | null;
  /** Probability that the text is not supported by its sources; null if the two cannot be compared. */
  grounding: ((text: string, sources: string[]) => number | null) | null;
  rankSteps: ((trace: Trace) => { agent: string | null; step: number } | null) | null;
}

export const SCORERS: Scorers = {
  injection: scoreInjection,
  traceInjection: scoreTraceInjection,
  grounding: (text, sources) => {
    const { isJudged, score } = scoreGrounding(text, sources);
    return isJudged ? score : null;
  },
  rankSteps,
};
