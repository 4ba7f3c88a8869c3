import type { Severity } from '../../core/severity.ts';

/** What a detection says of where the run went wrong. */
export interface Symptom {
  severity: Severity;
  confidence: number;
  /** Index into `Trace.steps`; null if the detection is about the whole run. */
  step: number | null;
  /** Spans of all steps involved. */
  spanIds: readonly string[];
  title: string;
}
