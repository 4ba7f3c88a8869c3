import type { DetectionType, Evidence, Fix } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import type { AnsweredQuestion, Conclusion, Question } from './question.ts';
import type { TrafficReference } from './traffic-reference.ts';

/**
 * A detector scores evidence; it decides nothing. The engine (`run.ts`) turns a score into a calibrated confidence,
 * applies the threshold and the severity rule, and builds the stored detection.
 */
export interface Detector<Subtype extends string = string> {
  type: DetectionType;
  title: string;
  /** F and MAST codes of every detection; a subtype may add its own. */
  failureModes: readonly string[];
  /** What a trace must carry for the detector to say anything; without it the result is "not applicable". */
  needs: readonly Need[];
  subtypes: Readonly<Record<Subtype, SubtypeInfo>>;
  /** How it finds: `rule` where left out, else the name of the model. */
  method?: string;
  /**
   * Pure and synchronous: no clock, no randomness, no input but these. One that does not come back is ended wherever it is:
   * what it writes into arrays that outlive the call is wiped by the next call.
   */
  detect(trace: Trace, options: DetectorOptions, report: Report<Subtype>): void;
  /**
   * With `conclude`, or not at all: what a model may be asked about `options.findings`, where the user has configured
   * one (docs/judge.md). As pure and synchronous as `detect`; nothing else may depend on it.
   */
  questions?(trace: Trace, options: QuestionOptions): readonly Question[];
  /** What follows from the answers. */
  conclude?(trace: Trace, answered: readonly AnsweredQuestion[]): readonly Conclusion[];
}

export type Need = 'steps' | 'tool_calls' | 'states' | 'llm_calls' | 'tokens' | 'text' | 'graph' | 'settled';

export interface SubtypeInfo {
  title: string;
  /** How bad it is when it is real; severity follows from this and the confidence. */
  impact: 'critical' | 'warning' | 'info';
  businessImpact: string;
  failureModes?: readonly string[];
}

export interface DetectorOptions {
  thresholds: Thresholds;
  models: ModelCatalog;
  /** The tenant's other runs of this framework, once enough are known. */
  traffic?: TrafficReference | undefined;
}

export interface QuestionOptions extends DetectorOptions {
  /** The detector's own detections that the rules are not sure of, the most certain first. */
  drafts: readonly DetectionDraft[];
}

export type Report<Subtype extends string> = (draft: DetectionDraft<Subtype>) => void;

/** What a detector saw: raw score and proof. */
export interface DetectionDraft<Subtype extends string = string> {
  subtype: Subtype;
  /** 0–1, monotone in how certain the evidence is; calibration maps it to a probability. */
  score: number;
  /** Where a fitted model found it: its name, and its probability, calibrated by itself, which stands instead. */
  model?: { name: string; probability: number };
  /** Decisive step (index into `trace.steps`); null if the detection is about the whole run. */
  step: number | null;
  /** Steps involved, the first one first; the identity of the detection hangs on it. At least one. */
  steps: readonly number[];
  /** Responsible agent; left out, the agent of the decisive step. */
  agent?: string | null;
  /** One to four sentences a person understands: what happened, where, how often, why it is wrong. */
  explanation: string;
  /** One imperative sentence. */
  suggestedAction: string;
  /** At least one piece. */
  evidence: readonly Evidence[];
  wastedTokens?: number;
  wastedCostUsd?: number;
  /** At least one, specific to the evidence. */
  fixes: readonly Fix[];
  /** What stays the same when the fault recurs in another trace (tool name, state field): goes into the fingerprint. */
  key: string;
}

/** Checks nothing at run time; it keeps the subtype names literal for `report`. */
export function defineDetector<Subtype extends string>(detector: Detector<Subtype>): Detector<Subtype> {
  return detector;
}
