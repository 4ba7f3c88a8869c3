import { isJsonObject, parseJson } from '../../core/json.ts';
import type { UnrankedPrediction } from './own-traffic.ts';
import { type PredictOptions, predictRecord } from './predict-record.ts';
import type { FailedPrediction } from './prediction.ts';

/** The prediction for one line of a records file. Never throws: an invalid line has no effect on others. */
export function predictLine(
  line: string,
  number: number,
  options: PredictOptions,
  predict: typeof predictRecord = predictRecord,
): UnrankedPrediction | FailedPrediction {
  const value = parseJson(line);
  if (value === undefined) return { id: null, line: number, error: 'not JSON' };
  try {
    return predict(value, options);
  } catch (error) {
    const id = isJsonObject(value) && typeof value.id === 'string' ? value.id : null;
    return { id, line: number, error: error instanceof Error ? error.message : String(error) };
  }
}
