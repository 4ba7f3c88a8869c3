import type { Evidence, Fix } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectorManifest, PromptRule, SubtypeInfo } from './manifest.ts';
import type { AnsweredQuestion, Conclusion, Question } from './question.ts';
import type { TrafficReference } from './traffic-reference.ts';

/**
 * A detector only scores evidence. The engine (`run.ts`) converts the score into a calibrated confidence, applies the
 * threshold and the severity rule, and builds the stored detection. What is not code is its manifest; a detector of a test
 * can omit what only tables over all detectors read.
 */
export interface Detector<Subtype extends string = string>
  extends Omit<DetectorManifest<Subtype>, 'evaluation' | 'subtypes'>,
    Partial<Pick<DetectorManifest, 'evaluation'>> {
  subtypes: Readonly<Record<Subtype, SubtypeInfo>>;
  /**
   * Pure and synchronous: no clock, no randomness, no other input. The engine can terminate a call at any point; arrays
   * that outlive a call must be reset by the next call.
   */
  detect(trace: Trace, options: DetectorOptions, report: Report<Subtype>): void;
  /**
   * Questions for a model about `options.drafts`, used if the user has configured a model (docs/judge.md). Requires
   * `conclude`. Pure and synchronous like `detect`; nothing else may depend on it.
   */
  questions?(trace: Trace, options: QuestionOptions): readonly Question[];
  /** Conclusions from the answers. */
  conclude?(trace: Trace, answered: readonly AnsweredQuestion[]): readonly Conclusion[];
}

export interface DetectorOptions {
  thresholds: Thresholds;
  models: ModelCatalog;
  /** Reference for ranking, from the tenant's other runs of this framework; omitted if there are too few. */
  traffic?: TrafficReference | undefined;
}

export interface QuestionOptions extends DetectorOptions {
  /** The detector's own uncertain detections, the most certain first. */
  drafts: readonly DetectionDraft[];
}

export type Report<Subtype extends string> = (draft: DetectionDraft<Subtype>) => void;

/** Output of a detector: a raw score with evidence. */
export interface DetectionDraft<Subtype extends string = string> {
  subtype: Subtype;
  /** 0–1, monotone in the certainty of the evidence; calibration maps it to a probability. */
  score: number;
  /** Name and calibrated probability of a fitted model, if one produced the detection. The probability replaces calibration. */
  model?: { name: string; probability: number };
  /** Decisive step (index into `trace.steps`); null if the detection is about the whole run. */
  step: number | null;
  /** Steps involved, in order; at least one. The first one is part of the identity of the detection. */
  steps: readonly number[];
  /** Responsible agent; if omitted, the agent of the decisive step. */
  agent?: string | null;
  /** One to four sentences for a person: what happened, where, how often, and why it is wrong. */
  explanation: string;
  /** Replaces the title of the subtype if the trace shows more. */
  title?: string;
  /** Replaces the impact of the subtype if the trace shows more. */
  businessImpact?: string;
  /** One imperative sentence. */
  suggestedAction: string;
  /** At least one item. */
  evidence: readonly Evidence[];
  wastedTokens?: number;
  wastedCostUsd?: number;
  /** At least one fix, specific to the evidence. */
  fixes: readonly Fix[];
  /** Replaces the prompt rule of the subtype; null if a prompt cannot help here. */
  promptRule?: PromptRule | null;
  /** Null if the tool note of the subtype does not apply here. */
  toolNote?: null;
  /** Part of the fingerprint: what stays the same if the fault recurs in another trace (tool name, state field). */
  key: string;
}

/** Checks nothing at run time. It keeps the subtype names literal for `report`. */
export function defineDetector<Subtype extends string>(detector: Detector<Subtype>): Detector<Subtype> {
  return detector;
}
