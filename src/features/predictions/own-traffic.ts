import { failureRanks } from '../../detectors/_attribution/failure-rank.ts';
import type { Prediction } from './prediction.ts';

/** A run and its traffic group. */
export interface TrafficRun {
  /** Runs with the same text are one traffic group. */
  traffic: string;
  /** Of `riskColumns`. */
  columns: Float64Array;
}

/** A prediction without `scores.failed`: the rank needs the other runs of the input. */
export interface UnrankedPrediction {
  prediction: Prediction;
  /** Null if the record is not a run. */
  run: TrafficRun | null;
}

/** Fills `scores.failed` with the rank of each run within its own traffic; no label is read. */
export function withFailureRanks<Item extends UnrankedPrediction>(items: readonly Item[]): Item[] {
  const runs = items.flatMap(({ run }, at) => (run === null ? [] : [{ ...run, at }]));
  const ranks = new Map<number, number | null>();
  for (const own of Map.groupBy(runs, ({ traffic }) => traffic).values())
    failureRanks(own.map(({ columns }) => columns)).forEach((rank, nth) => {
      ranks.set(own[nth]!.at, rank === null ? null : Math.round(rank * 1e5) / 1e5);
    });
  return items.map((item, at) => {
    const failed = ranks.get(at) ?? null;
    return { ...item, prediction: { ...item.prediction, scores: { ...item.prediction.scores, failed } } };
  });
}
