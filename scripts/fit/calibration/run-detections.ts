import type { DetectionType } from '../../../src/core/detection.ts';
import { DEFAULT_THRESHOLDS } from '../../../src/core/thresholds.ts';
import type { Trace } from '../../../src/core/trace.ts';
import { missingNeed } from '../../../src/detectors/_runner/needs.ts';
import { draftsOf } from '../../../src/detectors/_runner/run.ts';
import { DETECTORS } from '../../../src/detectors/registry.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';
import { decodeRecord } from '../../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../../src/formats/trace-model/build-trace.ts';
import { outcomeOf, type TraceSet } from '../../evaluate/outcome.ts';
import { type LabelledRecord, unlabelled } from '../load-set.ts';

/** Sets with runs labelled by execution, including healthy runs. */
export const OUTCOME_SETS = ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'] as const;

/** Detectors that judge the outcome of a run, according to their manifests. */
export const OUTCOME_DETECTORS: readonly DetectionType[] = DETECTORS.flatMap(({ detector: { type, evaluation } }) =>
  evaluation?.isCalibratedByOutcome ? [type] : [],
);

/** A raw detection on a labelled run. */
export interface RunDetection {
  id: string;
  set: string;
  group: string;
  type: DetectionType;
  subtype: string;
  score: number;
  /** The first involved span; with type and subtype the detection's identity in its run. */
  spanId: string;
  hasFailed: boolean;
}

/** A labelled run without an attack, with the detections of these detectors. */
export interface LabelledRun {
  id: string;
  hasFailed: boolean;
  detections: RunDetection[];
}

const MODELS = createModelCatalog();

/** Attacked runs are left out because they fail for another reason. Labels are read after detection. */
export function labelledRuns(records: readonly LabelledRecord[]): LabelledRun[] {
  return records.flatMap((record) => {
    const outcome = outcomeOf(record.dataset as TraceSet, record.raw);
    if (outcome !== 'healthy' && outcome !== 'failing') return [];
    const trace = buildTrace(decodeRecord(unlabelled(record)).spans, { models: MODELS, isSettled: true });
    const hasFailed = outcome === 'failing';
    const { id, dataset: set, group } = record;
    const detections = detectionsIn(trace).map((detection) => ({ id, set, group, hasFailed, ...detection }));
    return [{ id, hasFailed, detections }];
  });
}

function detectionsIn(trace: Trace): Pick<RunDetection, 'type' | 'subtype' | 'score' | 'spanId'>[] {
  const options = { thresholds: DEFAULT_THRESHOLDS, models: MODELS };
  return DETECTORS.filter(({ detector }) => OUTCOME_DETECTORS.includes(detector.type))
    .filter(({ detector }) => missingNeed(detector.needs, trace) === null)
    .flatMap((registered) =>
      draftsOf(registered, trace, options)
        // Model detections have their own probability, which was fitted on these runs.
        .filter(({ model }) => model === undefined)
        .map(({ subtype, score, steps }) => ({
          type: registered.detector.type,
          subtype,
          score,
          spanId: trace.steps[steps[0]!]!.spanId,
        })),
    );
}
