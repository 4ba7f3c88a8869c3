import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../src/core/json.ts';
import { withFailureRanks } from '../../src/features/predictions/own-traffic.ts';
import type { PredictOptions } from '../../src/features/predictions/predict-record.ts';
import type { FailedPrediction, Prediction } from '../../src/features/predictions/prediction.ts';
import { SCORERS } from '../../src/features/predictions/scorers.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { type LabelledRecord, loadSet } from '../fit/load-set.ts';
import { predictWithTrail } from '../predict/predict-with-trail.ts';
import { TRACE_SETS } from './outcome.ts';

/** A record with its predictions, without its spans. */
export interface Case {
  id: string;
  set: string;
  kind: LabelledRecord['kind'];
  group: string;
  labels: JsonObject;
  meta: JsonObject;
  prediction: Prediction;
}

/** Sets with labels that the protocol scores. */
export const SCORED_SETS = [
  ...TRACE_SETS,
  'notinject_injecguard',
  'bipia',
  'cyberseceval_pi',
  'tensor_trust',
  'giskard_pi',
  'qualifire_jailbreak',
  'begin',
  'faithdial_audit',
  'wice',
  'q2_wow',
  'qags',
  'faithbench',
] as const;

/** The prediction of each record of a set, in order; null if there is none. */
export type Predict = (records: readonly LabelledRecord[]) => (Prediction | null)[];

/** Cases of one set, sorted by id. */
export function casesOf(records: readonly LabelledRecord[], predict: Predict): Case[] {
  const predictions = predict(records);
  return records.flatMap((record, at) => {
    const prediction = predictions[at] ?? null;
    if (prediction === null) return [];
    const { id, dataset, kind, group, labels, meta } = record;
    return [{ id, set: dataset, kind, group, labels, meta, prediction }];
  });
}

/** Analyzes the records; runs are ranked among the runs of their set. */
export function predictHere(): Predict {
  const options: PredictOptions = {
    models: createModelCatalog(),
    scorers: SCORERS,
    now: () => performance.now(),
  };
  return (records) =>
    withFailureRanks(records.map(({ raw }) => predictWithTrail(raw, options))).map(({ prediction }) => prediction);
}

/** Looks the record up in a predictions file, as `misstep analyze --records --predictions` writes it. */
export function predictFromFile(file: string): Predict {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const lines = text.split('\n').filter(Boolean);
  const all = lines.map((line) => JSON.parse(line) as Prediction | FailedPrediction);
  const usable = all.filter((one): one is Prediction => !('error' in one));
  const byId = new Map(usable.map((prediction) => [prediction.id, prediction]));
  return (records) => records.map(({ id }) => byId.get(id) ?? null);
}

/** Loads, analyzes and releases one set after the other. */
export function loadCases(data: string, predict: Predict, log: (line: string) => void): Case[] {
  return SCORED_SETS.flatMap((set) => {
    const cases = casesOf(loadSet(set, data), predict);
    log(`${set}: ${cases.length} records`);
    return cases;
  });
}
