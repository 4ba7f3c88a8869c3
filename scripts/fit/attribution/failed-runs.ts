import { candidatesOf } from '../../../src/detectors/_attribution/ranking.ts';
import { type RunShape, runShape } from '../../../src/detectors/_attribution/run-shape.ts';
import { type StepFeatures, stepFeatures } from '../../../src/detectors/_attribution/step-features.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';
import { decodeRecord, recordStepIndexes } from '../../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../../src/formats/trace-model/build-trace.ts';
import { type LabelledRecord, unlabelled } from '../load-set.ts';

export const ATTRIBUTION_SETS = ['whowhen', 'agentrx', 'agenterrorbench'] as const;

/** Runs of one framework with labels of one group of annotators: the unit that is left out to measure transfer. */
export type Family = 'algorithm' | 'hand-crafted' | 'magentic' | 'tau' | 'agenterrorbench';

export const FAMILIES: readonly Family[] = ['algorithm', 'hand-crafted', 'magentic', 'tau', 'agenterrorbench'];

/** Two families of one framework: neither is new if the other is in the fit. */
export const FRAMEWORK: Readonly<Record<Family, string>> = {
  algorithm: 'captain-agent',
  'hand-crafted': 'magentic-one',
  magentic: 'magentic-one',
  tau: 'tau-bench',
  agenterrorbench: 'agent-debug',
};

export interface FailedRun {
  id: string;
  family: Family;
  group: string;
  shape: RunShape;
  features: StepFeatures;
  /** Feature rows of the candidates. */
  candidates: number[];
  /** Step of the record, by index into `Trace.steps`. */
  recordSteps: readonly number[];
  decisive: { step: number; agent: string | null };
  /** Candidate that is the decisive step. */
  answer: number;
}

export function failedRuns(records: readonly LabelledRecord[]): FailedRun[] {
  const models = createModelCatalog();
  return records
    .filter(({ labels }) => typeof labels.mistake_step === 'number')
    .map((record) => {
      const { spans } = decodeRecord(unlabelled(record));
      const trace = buildTrace(spans, { models, isSettled: true });
      const indexes = recordStepIndexes(spans);
      const recordSteps = trace.steps.map(({ spanId }) => indexes.get(spanId) ?? -1);
      const features = stepFeatures(trace);
      const candidates = candidatesOf(features);
      const step = record.labels.mistake_step as number;
      return {
        id: record.id,
        family: familyOf(record),
        group: record.group,
        shape: runShape(features.views),
        features,
        candidates,
        recordSteps,
        decisive: { step, agent: (record.labels.mistake_agent as string | undefined) ?? null },
        answer: candidates.findIndex((row) => recordSteps[features.steps[row]!] === step),
      };
    });
}

function familyOf({ dataset, meta }: LabelledRecord): Family {
  const subset = String(meta.subset ?? '');
  if (dataset === 'whowhen') return subset.startsWith('Algorithm') ? 'algorithm' : 'hand-crafted';
  if (dataset === 'agentrx') return subset.startsWith('tau') ? 'tau' : 'magentic';
  return 'agenterrorbench';
}
