import type { Trace } from '../../core/trace.ts';
import { amongMany } from './false-alarm-scale.ts';
import { judgedTexts } from './judged-texts.ts';
import { scoreOfJudged } from './score.ts';
import type { Channel } from './text-model.ts';

/** What one text of a run scores. */
export interface TextScore {
  channel: Channel;
  score: number;
}

/** The run works for its user: that a user attacks it is so much rarer than that data does. */
const USER_DOUBT = 10;

/** The score of a run: its most suspicious text from outside, weighed by how many there are; 0 where there is none. */
export function scoreTraceInjection(trace: Trace): number {
  return surestOfRun(
    judgedTexts(trace).map(({ source, suspicions, place }) => ({
      channel: source.channel,
      score: scoreOfJudged(suspicions, place),
    })),
  );
}

export function surestOfRun(texts: readonly TextScore[]): number {
  return Math.max(surestOf(texts, 'data', 1), surestOf(texts, 'user', USER_DOUBT));
}

function surestOf(texts: readonly TextScore[], channel: Channel, doubt: number): number {
  const scores = texts.filter((text) => text.channel === channel).map(({ score }) => score);
  return scores.length === 0 ? 0 : amongMany(Math.max(...scores), scores.length * doubt);
}
