import type { Json } from '../../src/core/json.ts';
import type { ModelCatalog } from '../../src/core/model-catalog.ts';
import type { UnrankedPrediction } from '../../src/features/predictions/own-traffic.ts';
import { type PredictOptions, predictRecord, withoutLabels } from '../../src/features/predictions/predict-record.ts';
import { decodeRecord } from '../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';
import { trailDetections } from '../trail/trail-categories.ts';

/** The prediction of the product, and for runs the detections in TRAIL's categories, which only the scoring of TRAIL reads. */
export function predictWithTrail(value: Json, options: PredictOptions): UnrankedPrediction {
  const { prediction, run } = predictRecord(value, options);
  return { prediction: { ...prediction, trail: run === null ? null : trailOf(value, options.models) }, run };
}

function trailOf(value: Json, models: ModelCatalog) {
  const { spans } = decodeRecord(withoutLabels(value));
  const trace = buildTrace(spans, { models, isSettled: true });
  return trailDetections(trace).map(({ spanId, category }) => ({ span_id: spanId, category }));
}
