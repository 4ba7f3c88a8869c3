import { DETECTION_TYPES } from './detection-types.generated.ts';
import type { Json } from './json.ts';
import type { Severity } from './severity.ts';

/** Names of the detectors, the values of `detection_type`. */
export { DETECTION_TYPES };
export type DetectionType = (typeof DETECTION_TYPES)[number];

export type Tier = 'production' | 'beta' | 'experimental';

/** A piece of evidence: the span, the place in it, and the value there. */
export interface Evidence {
  /** e.g. `repeated_call`, `state_change`, `error`, `text`, `metric`. */
  kind: string;
  spanId: string;
  /** Place in the span: `tool.arguments`, `output`, `state.cart.total`; null for the whole span. */
  path: string | null;
  /** Short quoted text, at most 300 characters; null if a value is more precise. */
  quote: string | null;
  value: Json;
  /** Zero-based index of the step, set by the engine; missing for evidence that an earlier version stored. */
  step?: number | null;
  /** Number of steps with this text, if there are several: it is listed once, at the first of them. */
  stepCount?: number;
}

export type FixType =
  | 'loop_guard'
  | 'retry_policy'
  | 'state_schema'
  | 'context_management'
  | 'budget_limit'
  | 'workflow_change'
  | 'tool_change'
  | 'input_guard'
  | 'prompt_change'
  | 'credential_change'
  | 'config_change';

/** A suggested fix, specific to the evidence. */
export interface Fix {
  fixType: FixType;
  title: string;
  description: string;
  rationale: string;
  /** 0–1: how likely this removes the cause. */
  confidence: number;
  risk: 'low' | 'medium' | 'high';
  changes: FixChange[];
  isBreaking: boolean;
  requiresTesting: boolean;
}

export interface FixChange {
  /** What to change: a tool, a node, a prompt, a file, a setting. */
  target: string;
  format: 'json-patch' | 'unified-diff' | 'text';
  before: string | null;
  after: string;
}

/** A detection as the engine returns it for one trace; the store adds ids, times and validation. */
export interface Detection {
  type: DetectionType;
  subtype: string;
  /** F and MAST codes, e.g. `F3`, `FM-1.3`. */
  failureModes: string[];
  /** The agent at fault; in a workflow whose steps name no agent, the node. */
  agent: string | null;
  /** Set if `agent` is a node of the workflow graph that no step names as its agent. */
  isNode?: true;
  /** First span first; it is part of the identity. */
  spanIds: string[];
  /** Zero-based index of the decisive step; null if the detection concerns the whole run. */
  step: number | null;
  /** 0–1; calibrated against labels if `isCalibrated`, otherwise at most 0.7. */
  confidence: number;
  isCalibrated: boolean;
  severity: Severity;
  tier: Tier;
  /** Detection method: `rule` or the name of the model. */
  method: string;
  title: string;
  explanation: string;
  businessImpact: string;
  suggestedAction: string;
  evidence: Evidence[];
  wastedTokens: number;
  wastedCostUsd: number;
  fixes: Fix[];
  /** Groups the same fault across traces: a hash of type, subtype, agent and normalized evidence. */
  fingerprint: string;
}
