import type { Trace } from '../../core/trace.ts';
import { adjustForCount } from './false-alarm-scale.ts';
import { combinedScore } from './score.ts';
import { scoredTexts } from './scored-texts.ts';
import type { Channel } from './text-model.ts';

/** Score of one text of a run. */
export interface TextScore {
  channel: Channel;
  score: number;
}

/** Factor for user messages: attacks by the user that a run works for are much rarer than attacks in data. */
const USER_TEXT_FACTOR = 10;

/** The score of a run: its most suspicious text from outside, adjusted for their number; 0 if there is none. */
export function scoreTraceInjection(trace: Trace): number {
  return maxTextScore(
    scoredTexts(trace).map(({ source, suspicions, place }) => ({
      channel: source.channel,
      score: combinedScore(suspicions, place),
    })),
  );
}

export function maxTextScore(texts: readonly TextScore[]): number {
  return Math.max(maxScoreOf(texts, 'data', 1), maxScoreOf(texts, 'user', USER_TEXT_FACTOR));
}

function maxScoreOf(texts: readonly TextScore[], channel: Channel, factor: number): number {
  const scores = texts.filter((text) => text.channel === channel).map(({ score }) => score);
  return scores.length === 0 ? 0 : adjustForCount(Math.max(...scores), scores.length * factor);
}
