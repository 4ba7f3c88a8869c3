import type { Prediction } from '../../src/features/predictions/prediction.ts';
import type { Case } from './cases.ts';

/** A case with the fields that a test sets. For tests only. */
export function syntheticCase(
  id: string,
  fields: Partial<Omit<Case, 'prediction'>> & { prediction?: Partial<Prediction> } = {},
): Case {
  const { prediction, ...rest } = fields;
  return {
    id,
    set: 'tau_bench',
    kind: 'trace',
    group: id,
    labels: {},
    meta: {},
    ...rest,
    prediction: {
      id,
      detections: [],
      scores: { injection: null, hallucination: null, failed: null },
      attribution: null,
      trail: null,
      ms: 1,
      ...prediction,
    },
  };
}

/** A detection with only the fields that are counted. */
export function syntheticDetection(
  fields: Partial<Prediction['detections'][number]>,
): Prediction['detections'][number] {
  return {
    type: 'loop',
    subtype: 'call',
    severity: 'warning',
    confidence: 0.5,
    steps: [],
    span_ids: [],
    agent: null,
    failure_modes: [],
    ...fields,
  };
}
