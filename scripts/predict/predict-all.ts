import { type UnrankedPrediction, withFailureRanks } from '../../src/features/predictions/own-traffic.ts';
import { predictLine } from '../../src/features/predictions/predict-line.ts';
import type { FailedPrediction, Prediction } from '../../src/features/predictions/prediction.ts';
import { SCORERS } from '../../src/features/predictions/scorers.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { predictWithTrail } from './predict-with-trail.ts';

/** One prediction for each line that is not empty, in order; runs are ranked among those of their own traffic. */
export function predictAll(lines: readonly string[], now: () => number): (Prediction | FailedPrediction)[] {
  const options = { models: createModelCatalog(), scorers: SCORERS, now };
  const found = lines.flatMap((line, at): (UnrankedPrediction | FailedPrediction)[] =>
    line.trim() === '' ? [] : [predictLine(line, at + 1, options, predictWithTrail)],
  );
  const usable = withFailureRanks(found.flatMap((item) => ('error' in item ? [] : [item]))).values();
  return found.map((item) => ('error' in item ? item : usable.next().value!.prediction));
}
