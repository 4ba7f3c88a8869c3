import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { type OutsideText, outsideTexts } from './outside-texts.ts';
import { ReadingMemo } from './reading-memo.ts';
import { type Suspicion, scanText } from './scan.ts';
import { placeOf } from './score.ts';
import type { Place } from './text-model.ts';

/** A text from outside with the results of rules and text model. */
export interface ScoredText {
  source: OutsideText;
  suspicions: readonly Suspicion[];
  /** Null if no piece passed the prefilter. */
  place: Place | null;
}

/** The texts of a run, each scored once: the detector and the score of the run share the results. */
export const scoredTexts = memoizeByRef((trace: Trace): readonly ScoredText[] => {
  const memo = new ReadingMemo();
  return outsideTexts(trace).map((source) => {
    const suspicions = scanText(source.text, memo);
    return { source, suspicions, place: placeOf(source.text, source.channel, suspicions, memo) };
  });
});
