import { riskRow } from '../../../src/detectors/_attribution/failure-risk.ts';
import type { RiskRow } from '../../../src/detectors/_attribution/risk-model.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';
import { decodeRecord } from '../../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../../src/formats/trace-model/build-trace.ts';
import { type LabelledRecord, unlabelled } from '../load-set.ts';

export const OUTCOME_SETS = ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'] as const;

/** A run whose outcome was found by executing a check. */
export interface JudgedRun {
  id: string;
  set: string;
  group: string;
  hasFailed: boolean;
  row: RiskRow;
}

export function judgedRuns(records: readonly LabelledRecord[]): JudgedRun[] {
  const models = createModelCatalog();
  return records.filter(isPlainRun).map((record) => {
    const trace = buildTrace(decodeRecord(withoutTask(record)).spans, { models, isSettled: true });
    return {
      id: record.id,
      set: record.dataset,
      group: record.group,
      hasFailed: record.labels.reward !== 1,
      row: riskRow(trace),
    };
  });
}

/** Attacked runs fail for a reason of their own. */
function isPlainRun({ labels }: LabelledRecord): boolean {
  return typeof labels.reward === 'number' && labels.attack_run !== true && labels.is_injection !== true;
}

/** In tau_bench the task is an instruction that the agent never saw. */
function withoutTask(record: LabelledRecord) {
  return { ...unlabelled(record), task: null };
}
