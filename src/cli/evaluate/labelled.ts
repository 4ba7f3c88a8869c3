import type { LabelledItem } from '../../features/evaluation/own-evaluation.ts';
import type { UnrankedPrediction } from '../../features/predictions/own-traffic.ts';

export interface Problem {
  file: string;
  /** One-based; null if the input has no lines. */
  line: number | null;
  message: string;
}

/** A labelled item before ranking. */
export type UnrankedItem = LabelledItem & UnrankedPrediction;

/** Result of one input. */
export interface Labelled {
  items: UnrankedItem[];
  problems: Problem[];
  /** Traces or records without labels; they are not counted. */
  unlabelled: number;
  /** Labels without a trace. */
  unmatched: string[];
}
