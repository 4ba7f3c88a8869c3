import type { LabelledItem } from '../../features/evaluation/own-evaluation.ts';
import type { UnrankedPrediction } from '../../features/predictions/own-traffic.ts';

export interface Problem {
  file: string;
  /** Counts from 1; null where the input has no lines. */
  line: number | null;
  message: string;
}

/** A labelled item before the runs are ranked among each other. */
export type UnrankedItem = LabelledItem & UnrankedPrediction;

/** What came out of one input. */
export interface Labelled {
  items: UnrankedItem[];
  problems: Problem[];
  /** Traces or records without labels; they are not counted. */
  unlabelled: number;
  /** Labels whose trace is in no input. */
  unmatched: string[];
}
