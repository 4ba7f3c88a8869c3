import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { type OutsideText, outsideTexts } from './outside-texts.ts';
import { ReadingMemo } from './reading-memo.ts';
import { type Suspicion, scanText } from './scan.ts';
import { placeOf } from './score.ts';
import type { Place } from './text-model.ts';

/** A text from outside with what the rules and the text model make of it. */
export interface JudgedText {
  source: OutsideText;
  suspicions: readonly Suspicion[];
  /** Null if the model found nothing to read closely. */
  place: Place | null;
}

/** The texts of a run, each read once: detector and score of the run ask for the same. */
export const judgedTexts = memoizeByRef((trace: Trace): readonly JudgedText[] => {
  const memo = new ReadingMemo();
  return outsideTexts(trace).map((source) => {
    const suspicions = scanText(source.text, memo);
    return { source, suspicions, place: placeOf(source.text, source.channel, suspicions, memo) };
  });
});
