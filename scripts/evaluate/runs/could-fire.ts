import type { DetectionType } from '../../../src/core/detection.ts';
import type { RunMeans } from './run-means.ts';

/**
 * What a run has to contain before a subtype of this detector can fire, beyond the detector's own `needs`. Without
 * this a detector of hand-offs would look quiet on thousands of runs of single agents.
 */
const BY_DETECTOR: Partial<Record<DetectionType, RunMeans>> = {
  loop: 'repeatable_calls',
  tool_failure: 'failed_calls',
  state_corruption: 'states',
  context_overflow: 'tokens',
  workflow_design: 'graph',
  quality_gate: 'edits',
  coordination: 'several_agents',
  communication: 'several_agents',
  withholding: 'several_agents',
  grounding: 'answer',
  hallucination: 'answer',
  retrieval_quality: 'documents',
  context_neglect: 'user_turns',
  injection: 'calls',
  secret_leak: 'calls',
  tool_provision: 'calls',
  reasoning_action_mismatch: 'calls',
};

/** Subtypes that need something else than the rest of their detector; null: any run. */
const BY_SUBTYPE: Readonly<Record<string, RunMeans | null>> = {
  'loop/message_repetition': null,
  'loop/failing_test': 'tests',
  'loop/rejected_edits': 'edits',
  'quality_gate/answer_never_computed': 'answer',
  'quality_gate/answer_not_put_back': 'answer',
  'quality_gate/answers_disagree': 'several_agents',
  'quality_gate/no_tester_turn': 'several_agents',
  'completion/claimed_despite_failure': 'failed_calls',
  'completion/tests_claimed_not_run': 'edits',
  'completion/tests_claimed_despite_failure': 'tests',
  'completion/no_final_answer': 'calls',
  'completion/claim_corrected': 'user_turns',
  'completion/items_dropped': 'graph',
  'resource_misallocation/barren_agent': 'several_agents',
  'role_usurpation/speaks_for_others': 'several_agents',
  'role_usurpation/foreign_tool': 'several_agents',
  'role_usurpation/destructive_command': 'calls',
  'role_usurpation/sandbox_escape': 'calls',
  'role_usurpation/check_bypassed': 'calls',
  'role_usurpation/unreviewed_script': 'calls',
  'persona_drift/identity_changed': 'several_agents',
  'output_validation/failed_check_ignored': 'failed_calls',
  'output_validation/contrary_approvals': 'several_agents',
  'coordination/duplicate_action': 'calls',
  'injection/direct': null,
  'context_overflow/exceeded': 'failed_calls',
};

/** What a run has to contain; null where the needs of the detector say all. */
export function meansFor(type: DetectionType, subtype: string): RunMeans | null {
  const own = BY_SUBTYPE[`${type}/${subtype}`];
  return own === undefined ? (BY_DETECTOR[type] ?? null) : own;
}
