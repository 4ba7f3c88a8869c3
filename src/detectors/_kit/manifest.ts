import type { DetectionType } from '../../core/detection.ts';
import type { Calibration } from './calibration.ts';
import type { Maturity } from './maturity.ts';
import type { RunFeature } from './run-feature.ts';

/** Everything about a detector that is not code, defined in `NAME/manifest.ts`. Tables over all detectors are derived from it. */
export interface DetectorManifest<Subtype extends string = string> {
  /** `snake_case`: the name of the folder and the value of `detection_type`. */
  type: DetectionType;
  title: string;
  /** F and MAST codes of every detection. A subtype can add its own. */
  failureModes: readonly string[];
  /** Data that a trace must contain for this detector; without it the result is "not applicable". */
  needs: readonly Need[];
  /** Detection method: `rule` if omitted, else the name of the model. */
  method?: string;
  /** From `calibration.generated.json`; null or omitted if no labels exist. */
  calibration?: Calibration | null;
  evaluation: EvaluationManifest;
  subtypes: Readonly<Record<Subtype, SubtypeManifest>>;
}

export type Need =
  | 'steps'
  | 'tool_calls'
  | 'states'
  | 'llm_calls'
  | 'tokens'
  | 'text'
  | 'graph'
  | 'settled'
  | 'complete';

/** How `npm run evaluate` measures the detector. It does not change what the detector reports. */
export interface EvaluationManifest {
  /**
   * Only runs that contain all of these count, in addition to `needs`; empty: any run. Otherwise, a detector of handoffs
   * would seem to cause no alarms on thousands of runs with one agent.
   */
  runsWith: readonly RunFeature[];
  /** MAST modes whose labels count as this fault; the detections must name them. */
  mast?: readonly string[];
  /** TRAIL categories whose labels count as this fault. */
  trail?: readonly string[];
  /** No human-labelled traces are known; detection was tested on constructed traces only. */
  isConstructedOnly?: true;
  /** A detection says how the run went, so that "the run failed" is a fair, if coarse, label for its calibration. */
  isCalibratedByOutcome?: true;
}

export interface SubtypeInfo {
  title: string;
  /** Impact of a real detection. Severity follows from this and the confidence. */
  impact: 'critical' | 'warning' | 'info';
  businessImpact: string;
  failureModes?: readonly string[];
  /** Whether it reports by default. */
  maturity?: Maturity;
  /**
   * One line for the instructions of the responsible agent; null if a prompt cannot help because the fault is in the
   * workflow, the state or the settings.
   */
  promptRule?: PromptRule | null;
  /** One sentence for the description of the tool of a detection. Models read it before each call, whatever their prompt. */
  toolNote?: string;
  /** What the settings of the failed workflow node can change. */
  nodeRemedy?: NodeRemedy;
  /** Replaces `evaluation.runsWith` of the detector. */
  runsWith?: readonly RunFeature[];
}

/** A manifest must decide on maturity and prompt rule; detectors of tests may omit them. */
export type SubtypeManifest = SubtypeInfo & Required<Pick<SubtypeInfo, 'maturity' | 'promptRule'>>;

export type NodeRemedy = 'retry' | 'error_output' | 'retry_and_error_output' | 'stop';

export type PromptRule = (names: RuleNames) => string;

/** Names that a rule can use, from the decisive step of the detection. */
export interface RuleNames {
  /** The tool of the decisive step, else of the first step of the detection with a tool; null if there is none. */
  tool: string | null;
  /** That tool, else the agent or the step. */
  what: string;
}

/** Checks nothing at run time. It keeps the names of the subtypes literal. */
export function defineManifest<Subtype extends string>(manifest: DetectorManifest<Subtype>): DetectorManifest<Subtype> {
  return manifest;
}
