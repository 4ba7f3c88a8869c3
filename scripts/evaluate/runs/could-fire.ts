import type { DetectionType } from '../../../src/core/detection.ts';
import type { RunMeans } from './run-means.ts';

/**
 * What a run has to contain before a subtype of this detector can fire, beyond the detector's own `needs`. Without
 * this a detector of hand-offs would look quiet on thousands of runs of single agents.
 */
const BY_DETECTOR: Readonly<Record<DetectionType, readonly RunMeans[]>> = {
  loop: ['repeatable_calls'],
  tool_failure: ['failed_calls'],
  cost_overrun: ['tenant_settings'],
  state_corruption: ['states'],
  context_overflow: ['known_windows'],
  workflow_design: ['graph'],
  injection: ['calls'],
  secret_leak: ['credentials'],
  completion: ['answer'],
  quality_gate: ['edits'],
  reasoning_action_mismatch: ['calls'],
  tool_provision: ['calls'],
  output_validation: ['answer'],
  specification: ['answer'],
  coordination: ['several_agents'],
  communication: ['several_agents'],
  role_usurpation: ['shell_commands'],
  resource_misallocation: ['calls'],
  withholding: ['several_agents', 'calls'],
  decomposition: ['repeatable_turns'],
  derailment: ['answer'],
  persona_drift: ['repeatable_turns'],
  hallucination: ['answer', 'calls'],
  grounding: ['answer'],
  retrieval_quality: ['documents'],
  context_neglect: ['user_turns'],
};

/** Subtypes that need something else than the rest of their detector; an empty list: any run. */
const BY_SUBTYPE: Readonly<Record<string, readonly RunMeans[]>> = {
  'loop/recursion_limit': [],
  'loop/cyclic': ['repeatable_turns'],
  'loop/message_repetition': ['repeatable_turns'],
  'loop/retry_storm': ['repeated_failures'],
  'loop/repeated_fault': ['repeated_failures'],
  'loop/rejected_edits': ['edits', 'failed_calls'],
  'loop/failing_test': ['tests', 'edits'],
  'loop/reported_loop': ['runtime_loop_reports'],
  'loop/iteration_escape': ['rounds'],
  'loop/exit_not_met': ['rounds'],
  'loop/polling': ['polls'],
  'tool_failure/never_worked': ['repeated_failures'],
  'state_corruption/stale_checkpoint': ['checkpoints'],
  'state_corruption/checkpoint_lost': ['checkpoints'],
  'state_corruption/writes_dropped': ['checkpoints'],
  'state_corruption/effect_repeated': ['checkpoints'],
  'context_overflow/exceeded': [],
  'context_overflow/truncated': [],
  'context_overflow/compacted': [],
  'workflow_design/dangling_route': ['routes'],
  'workflow_design/after_end': ['routes'],
  'workflow_design/conflicting_writes': ['states'],
  'workflow_design/unhandled_error': ['graph', 'failed_calls'],
  'injection/direct': ['user_turns'],
  'completion/claimed_despite_failure': ['answer', 'failed_calls'],
  'completion/tests_claimed_not_run': ['answer', 'edits'],
  'completion/tests_claimed_despite_failure': ['answer', 'tests'],
  'completion/no_final_answer': ['calls'],
  'completion/claim_corrected': ['user_turns'],
  'completion/continued_after_answer': ['repeatable_turns'],
  'completion/items_dropped': ['rounds'],
  'completion/unusual_trouble': ['tenant_settings'],
  'quality_gate/failing_tests_left': ['edits', 'tests'],
  'quality_gate/answer_never_computed': ['answer_numbers'],
  'quality_gate/answer_not_put_back': ['answer_numbers'],
  'quality_gate/answers_disagree': ['several_agents', 'answer_numbers'],
  'quality_gate/no_tester_turn': ['several_agents', 'edits'],
  'tool_provision/missing_tool': ['answer'],
  'tool_provision/call_written_as_text': ['declared_tools'],
  'tool_provision/claimed_tool_use': ['declared_tools'],
  'output_validation/arguments_off_schema': ['schemas'],
  'output_validation/failed_check_ignored': ['checks'],
  'output_validation/contrary_approvals': ['several_agents'],
  'coordination/handoff_unanswered': ['handoffs'],
  'coordination/handoff_ping_pong': ['handoffs', 'several_agents'],
  'coordination/duplicate_action': ['several_agents', 'calls'],
  'coordination/duplicate_lookup': ['several_agents', 'calls'],
  'coordination/subagent_work_repeated': ['several_agents', 'calls'],
  'communication/missing_recipient': ['handoffs'],
  'role_usurpation/foreign_tool': ['declared_tools'],
  'role_usurpation/speaks_for_others': ['repeatable_turns'],
  'resource_misallocation/barren_agent': ['several_agents', 'repeatable_calls'],
  'resource_misallocation/model_fallback': ['named_models'],
  'grounding/invented_link': ['answer_links'],
  'grounding/invented_identifier': ['answer_identifiers'],
  'grounding/invented_quote': ['answer_quotes'],
  'grounding/unsupported_number': ['answer_numbers'],
  'hallucination/unsupported_answer': ['answer', 'documents'],
  'context_neglect/restart': ['repeatable_turns'],
};

/** What a run has to contain; empty where the needs of the detector say all. */
export function meansFor(type: DetectionType, subtype: string): readonly RunMeans[] {
  return BY_SUBTYPE[`${type}/${subtype}`] ?? BY_DETECTOR[type];
}

/** Subtypes of the table; a test compares them with the registered ones. */
export const SUBTYPES_WITH_OWN_MEANS = Object.keys(BY_SUBTYPE);
