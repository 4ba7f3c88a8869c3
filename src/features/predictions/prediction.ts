import type { DetectionType } from '../../core/detection.ts';
import type { Severity } from '../../core/severity.ts';

/** The prediction for one record, with wire names: one line of a predictions file. */
export interface Prediction {
  id: string;
  detections: PredictedDetection[];
  /**
   * 0–1; null if the record's kind does not carry it or nothing scores it. `failed` is the rank of the run within its
   * own traffic (`own-traffic.ts`), null for too few runs.
   */
  scores: { injection: number | null; hallucination: number | null; failed: number | null };
  /** The decisive step, as a zero-based index into the record's steps, and the agent responsible for it. */
  attribution: { agent: string | null; step: number } | null;
  /** Detections in the categories of TRAIL (Deshpande et al. 2025): null here, filled by `scripts/predict`. */
  trail: { span_id: string; category: string }[] | null;
  /** Milliseconds from the record to the prediction. */
  ms: number;
}

export interface PredictedDetection {
  type: DetectionType;
  subtype: string;
  severity: Severity;
  confidence: number;
  /** Zero-based indices into the record's steps, first involved first. */
  steps: number[];
  span_ids: string[];
  agent: string | null;
  failure_modes: string[];
}

/** A line that could not be analyzed; `line` counts from 1. */
export interface FailedPrediction {
  id: string | null;
  line: number;
  error: string;
}
