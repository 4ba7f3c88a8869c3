import { DEFAULT_THRESHOLDS } from '../../src/core/thresholds.ts';
import { riskColumns } from '../../src/detectors/_attribution/run-columns.ts';
import { runDetectors } from '../../src/detectors/_runner/run.ts';
import type { TrafficSample } from '../../src/features/calibration/adapt-traffic.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { decodeRecord } from '../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';
import { type LabelledRecord, unlabelled } from '../fit/load-set.ts';
import { outcomeOf, type TraceSet } from './outcome.ts';

/** A run of a tenant's traffic; its outcome is used only for scoring. */
export interface StreamedRun extends TrafficSample {
  id: string;
  set: string;
  group: string;
  isFailing: boolean;
}

/** Each represents the framework of a new tenant. */
export const STREAM_SETS = ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'] as const;

/** Runs with a known outcome and without an attack, analyzed as shipped and without labels. */
export function loadStreams(load: (set: string) => LabelledRecord[], log: (line: string) => void): StreamedRun[] {
  const models = createModelCatalog();
  const settings = { thresholds: DEFAULT_THRESHOLDS, models, overrides: {}, enabled: {} };
  return STREAM_SETS.flatMap((set: TraceSet) => {
    const runs = load(set).flatMap((record): StreamedRun[] => {
      const outcome = outcomeOf(set, record.raw);
      if (outcome !== 'healthy' && outcome !== 'failing') return [];
      const { spans } = decodeRecord(unlabelled(record));
      if (spans.length === 0) return [];
      const trace = buildTrace(spans, { models, isSettled: true });
      const { signals } = runDetectors(trace, settings);
      const isFailing = outcome === 'failing';
      return [{ id: record.id, set, group: record.group, isFailing, signals, riskColumns: [...riskColumns(trace)] }];
    });
    log(`${set}: ${runs.length} runs as traffic`);
    return runs;
  });
}
