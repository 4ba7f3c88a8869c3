import type { Severity } from '../../core/severity.ts';

/** Where a detection locates the failure of the run. */
export interface Symptom {
  severity: Severity;
  confidence: number;
  /** Index into `Trace.steps`; null if the detection is about the whole run. */
  step: number | null;
  /** Spans of all steps involved. */
  spanIds: readonly string[];
  title: string;
}
