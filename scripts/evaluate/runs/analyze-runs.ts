import { DETECTION_TYPES, type DetectionType } from '../../../src/core/detection.ts';
import type { ModelCatalog } from '../../../src/core/model-catalog.ts';
import type { Severity } from '../../../src/core/severity.ts';
import { riskColumns } from '../../../src/detectors/_attribution/run-columns.ts';
import type { RunFeature } from '../../../src/detectors/_kit/run-feature.ts';
import { limitByMaturity } from '../../../src/detectors/_runner/maturity-limit.ts';
import type { MaturityTable } from '../../../src/detectors/maturity.ts';
import { analyzeSpans } from '../../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../../src/features/analysis/tenant-detection.ts';
import { decodeRecord } from '../../../src/formats/records/decode-record.ts';
import { type LabelledRecord, unlabelled } from '../../fit/load-set.ts';
import { featuresOf } from './run-features.ts';

export type RunOutcome = 'healthy' | 'failing';

export interface CountedDetection {
  type: DetectionType;
  subtype: string;
  severity: Severity;
}

/** Counted detections of the shipped detectors on one run. */
export interface AnalyzedRun {
  id: string;
  set: string;
  group: string;
  outcome: RunOutcome;
  /** Features of the run that subtypes require. */
  features: readonly RunFeature[];
  notApplicable: readonly DetectionType[];
  detections: readonly CountedDetection[];
  crashes: readonly string[];
  framework: string;
  /** Number of steps; null if they are not known. */
  length: number | null;
  /** Of `riskColumns`. */
  columns: Float64Array;
  /** Among the runs of its source and framework; null for too few. */
  rank: number | null;
}

/** Null if the labels do not state the outcome of the run, or if it was attacked. */
export function runOutcomeOf({ labels }: Pick<LabelledRecord, 'labels'>): RunOutcome | null {
  if (labels.attack_run === true || labels.is_injection === true || typeof labels.reward !== 'number') return null;
  return labels.reward === 1 ? 'healthy' : 'failing';
}

/** All detectors enabled: previews are reported with their severity. */
export const WITH_PREVIEWS = {
  ...DEFAULT_DETECTION,
  enabled: Object.fromEntries(DETECTION_TYPES.map((type) => [type, true])),
};

/** Analyzes a run as the program does, with previews reported. Labels are removed first. */
export function analyzeRun(record: LabelledRecord, models: ModelCatalog): AnalyzedRun | null {
  const outcome = runOutcomeOf(record);
  if (outcome === null) return null;
  const { spans } = decodeRecord(unlabelled(record));
  const { trace, result } = analyzeSpans(spans, { isSettled: true, models, tenant: WITH_PREVIEWS });
  return {
    id: record.id,
    set: record.dataset,
    group: record.group,
    outcome,
    features: featuresOf(trace, models),
    notApplicable: result.notApplicable.map(({ type }) => type),
    detections: result.detections.map(({ type, subtype, severity }) => ({ type, subtype, severity })),
    framework: trace.framework,
    length: trace.steps.length,
    columns: riskColumns(trace),
    rank: null,
    crashes: result.crashed.map(({ type, message }) => `${type}: ${message}`),
  };
}

/** The same runs as the program reports them at default settings: previews are observations. */
export function atDefaultSettings(runs: readonly AnalyzedRun[], maturity: MaturityTable): AnalyzedRun[] {
  return runs.map((run) => ({
    ...run,
    detections: run.detections.map((detection) =>
      limitByMaturity(detection, maturity[detection.type][detection.subtype]?.level ?? 'preview'),
    ),
  }));
}
