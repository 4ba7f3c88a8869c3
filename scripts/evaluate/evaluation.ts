import { attributionScores } from './attribution-scores.ts';
import type { Case } from './cases.ts';
import { confidenceScores } from './confidence-scores.ts';
import { failureScores } from './failure-scores.ts';
import type { Section } from './figure.ts';
import { flagRates } from './flag-rates.ts';
import { groundingScores } from './grounding-scores.ts';
import { injectionScores } from './injection-scores.ts';
import { mastModes } from './mast-modes.ts';
import { type FittedAnswers, withFitted } from './out-of-fold.ts';
import { trailScores } from './trail-scores.ts';

export interface Evaluation {
  split: 'dev';
  /** Records judged, by set. */
  sets: Record<string, number>;
  sections: Section[];
}

/** Every figure of the protocol. Detections are as shipped; fitted scores come from models that have not seen the group. */
export function evaluate(shipped: readonly Case[], answers: FittedAnswers): Evaluation {
  const cases = shipped.map((one) => ({ ...one, prediction: withFitted(one.prediction, answers.outOfFold) }));
  const sets = Map.groupBy(cases, ({ set }) => set);
  return {
    split: 'dev',
    sets: Object.fromEntries([...sets].map(([set, members]) => [set, members.length])),
    sections: [
      flagRates(cases),
      failureScores(cases, answers),
      attributionScores(cases, answers),
      trailScores(cases, answers),
      injectionScores(cases, answers),
      groundingScores(cases, answers),
      mastModes(cases),
      confidenceScores(cases, answers),
    ].filter(({ figures }) => figures.length > 0),
  };
}
