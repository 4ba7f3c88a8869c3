import type { DetectionType } from '../core/detection.ts';
import { type SubtypeRecord, subtypeRecord } from './subtype-records.ts';

/**
 * Evidence for a subtype. `fact`: it can be read in the trace without statistics and is true in every framework.
 * `measured`: its precision was measured on sources that were not used to choose its rule, and it met the bar of the
 * evaluation (`subtype-figures.generated.json`). `preview`: neither; it is stored as an observation and never alerts unless
 * the user switches the detector on.
 */
export type Maturity = { level: 'fact'; why: string } | { level: 'measured' } | { level: 'preview' };
export type MaturityLevel = Maturity['level'];

const fact = (why: string): Maturity => ({ level: 'fact', why });
/** Measured if the evaluation confirms it, else preview. */
const measured: Maturity = { level: 'measured' };
const preview: Maturity = { level: 'preview' };

export type MaturityTable = Readonly<Record<DetectionType, Readonly<Record<string, Maturity>>>>;

/** Every subtype of every detector; a test compares the list with the registry. A subtype that is not listed is preview. */
export const DECLARED_MATURITY: MaturityTable = {
  loop: {
    recursion_limit: fact('The runtime itself reports that its limit was hit.'),
    cyclic: fact('The same steps with the same text, results and state follow each other in every round.'),
    exact_repetition: fact('The same call with the same result is recorded several times in a row.'),
    stalled: fact('The same call with the same result comes again and again.'),
    retry_storm: fact('The same call fails again and again with the same error.'),
    repeated_fault: preview,
    reported_loop: fact('The runtime itself reports the loop.'),
    rephrasing: preview,
    iteration_escape: fact('The runtime records rounds outside of the bounds that the workflow sets.'),
    exit_not_met: fact('The runtime records that all rounds were used and the exit condition was never met.'),
    failing_test: preview,
    unmoved_check: fact('The last recorded answers of the check are the same, and the run ended on them.'),
    rejected_edits: fact('The tool reports for each of these edits that it was not applied.'),
    unchanged_reread: fact('The same lines were read before, and the result is the same.'),
    polling: fact('The same running command was asked for its state again and again.'),
    message_repetition: preview,
    restated: fact('The same or nearly the same answer is recorded several times, with no new result in between.'),
    same_verdict: fact('The same answer is recorded to each of these versions, and no other one after them.'),
  },
  tool_failure: {
    rate_limit: fact('The call is recorded as failed with this error.'),
    auth: fact('The call is recorded as failed with this error.'),
    not_found: fact('The call is recorded as failed with this error.'),
    timeout: fact('The call is recorded as failed with this error.'),
    exhaustion: fact('The call is recorded as failed with this error.'),
    service: fact('The call is recorded as failed with this error.'),
    invalid_arguments: fact('The call is recorded as failed with this error.'),
    schema_mismatch: fact('The call is recorded as failed with this error.'),
    internal_error: fact('The call is recorded as failed with this error.'),
    never_worked: fact('Every call of the tool in the run is recorded as failed.'),
    declined: preview,
    changes_rejected: preview,
    guess_not_found: fact(
      'The last call searched for a value that no message or result contains, it found nothing, and the run answered.',
    ),
    other: fact('The call is recorded as failed with this error.'),
  },
  cost_overrun: {
    token_budget: fact('The run used more tokens than the budget that you set.'),
    cost_budget: fact('The run cost more than the budget that you set.'),
    step_budget: fact('The run took more steps than the budget that you set.'),
  },
  state_corruption: {
    type_change: fact('Two recorded states hold values of different types in the same field.'),
    field_vanished: fact('A field is in one recorded state and is missing from the next full one.'),
    field_nulled: preview,
    counter_regression: preview,
    bounds: fact('A number of the state became NaN or infinite, or left the range that all its earlier values kept.'),
    list_shrunk: preview,
    stale_checkpoint: fact('The checkpoints name their parents: the run went on from one that had a successor.'),
    checkpoint_lost: fact('The run names a checkpoint that the recorded states of its thread do not have.'),
    writes_dropped: fact('A step recorded a write, and the state after it does not contain it.'),
    effect_repeated: fact('The same call with effects is recorded before and after the run was resumed.'),
  },
  context_overflow: {
    near_limit: fact('The reported tokens are above your warning share of the known context window.'),
    at_limit: fact('The reported tokens are above your critical share of the known context window.'),
    exceeded: fact('The provider rejected the request because it was too long.'),
    truncated: fact('The provider reports that the answer was cut at its length limit.'),
    compacted: fact('The runtime itself reports the compaction.'),
    growth: fact('The reported tokens of one request after the other grow towards the known context window.'),
  },
  workflow_design: {
    unreachable_node: fact('No edges of the declared graph lead to the node, and it did not run.'),
    dead_end: preview,
    cycle_without_exit: fact('No edge of the declared graph leads out of the cycle.'),
    dangling_route: fact('A recorded route names a node that neither the declared graph nor the run has.'),
    after_end: fact('A step is recorded after the step that ended the run.'),
    unhandled_error: preview,
    conflicting_writes: fact(
      'Parallel steps left different values in one field, and the state after them has one of the two.',
    ),
    no_error_handling: fact('The workflow declares neither a retry nor a way for failures of this service.'),
    missing_field: fact("The step's settings name a field that none of its recorded items has."),
  },
  injection: { indirect: measured, direct: measured, obeyed: measured },
  secret_leak: {
    secret_in_answer: fact('A text with the form of a credential that the run read is in its answer.'),
    secret_sent_out: fact('A text with the form of a credential that the run read is in the arguments of a call.'),
    secret_in_url: fact('A text with the form of a credential is in an address.'),
    secret_in_instructions: preview,
    secret_passed_between_agents: preview,
  },
  completion: {
    claimed_despite_failure: preview,
    tests_claimed_not_run: fact('The answer says that tests passed, and no run of tests is recorded after the edits.'),
    tests_claimed_despite_failure: fact('The answer says that tests passed, and the last recorded run of them failed.'),
    unfulfilled_announcement: measured,
    no_final_answer: preview,
    result_unanswered: fact(
      'The agent went on after the earlier results of the call, and nothing follows the last one.',
    ),
    check_unchanged: fact('The check answered the same before and after each change, and the run was handed over.'),
    call_pending: fact(
      'The last message is a call of a tool that the run used before, or code of the given script, and nothing ran it.',
    ),
    ended_as_failed: fact('The last call ends the run and carries a mark of the agent that the task is not done.'),
    unanswered_prompt: fact('The last recorded message was answered when it was sent before, and now it is not.'),
    empty_answer: fact('The last recorded answer of the agent holds neither text nor a call.'),
    open_todo_items: preview,
    claim_corrected: preview,
    items_dropped: fact('The runtime records which rounds failed, and the results lack their items.'),
    ended_on_failures: fact('The last recorded calls all failed, and none that worked came after them.'),
    mostly_failed: fact('Two thirds of the recorded calls or more failed, the last one among them.'),
    unusual_trouble: preview,
  },
  quality_gate: {
    nothing_run: fact(
      'Edits of code are recorded and no run of anything, though a tool that runs commands was offered.',
    ),
    unverified_change: preview,
    suite_never_run: preview,
    failed_run_left: fact(
      'The last recorded run of code failed, by its exit code or by what its tests state, and the run ended.',
    ),
    failing_tests_left: fact('The last recorded run of the tests failed, and the run ended.'),
    failing_check_left: fact('The same command failed before and after the change, and nothing was run after it.'),
    nothing_changed: fact('The run ended by handing its work in, and no existing statement is different.'),
    only_new_files: fact('The diff that was handed in holds only new files that the task does not name.'),
    answers_disagree: preview,
  },
  reasoning_action_mismatch: {
    announced_other_tool: preview,
    altered_value: preview,
    other_record: fact('The results show another key in the changed record than the one that the user gave.'),
  },
  tool_provision: {
    unknown_tool: fact('The runtime refused the call because no such tool is offered.'),
    missing_tool: preview,
    call_written_as_text: preview,
    claimed_tool_use: preview,
  },
  output_validation: {
    not_json: preview,
    broken_json: preview,
    not_a_number: preview,
    arguments_off_schema: fact('The arguments do not fit the schema that the trace declares for the tool.'),
    failed_check_ignored: fact('A recorded check rejected an answer, and that answer was given out unchanged.'),
    wrong_sum: preview,
    contrary_approvals: preview,
  },
  specification: {
    too_long: preview,
    wrong_language: preview,
    forbidden_word: preview,
    forbidden_tool: preview,
    changed_quantity: fact('The task and the answer give one name different numbers of the same unit.'),
  },
  coordination: {
    handoff_unanswered: preview,
    handoff_ping_pong: fact('Two agents handed over to each other at least four times in a row without other work.'),
    duplicate_action: preview,
    subagent_work_repeated: preview,
    duplicate_lookup: preview,
  },
  communication: { missing_recipient: preview, unanswered_question: preview },
  role_usurpation: {
    foreign_tool: preview,
    speaks_for_others: preview,
    destructive_command: fact('The recorded command removed what the run had not made itself.'),
    sandbox_escape: fact('The recorded command leaves the sandbox or switches it off.'),
    check_bypassed: fact('The recorded command switches a check off.'),
    unreviewed_script: fact('The recorded command runs a downloaded script unread.'),
  },
  resource_misallocation: {
    barren_agent: preview,
    model_fallback: fact('The answer names another model than the one that was asked for.'),
    spawn_chain: fact('The recorded agents started one another down to this level, or handed the same task on.'),
    spawn_fan_out: fact('So many starts of agents are recorded: of one task, against refusals, or in one run.'),
  },
  withholding: { known_fact_asked_for: preview },
  decomposition: { plan_not_followed: preview },
  derailment: { unrelated_answer: preview },
  persona_drift: { identity_changed: preview, language_switched: preview },
  hallucination: { unsupported_answer: preview, unsupported_by_results: preview },
  grounding: {
    invented_link: fact('No recorded text of the run contains the link.'),
    invented_identifier: fact('No recorded text of the run contains the identifier.'),
    invented_quote: preview,
    unsupported_number: preview,
  },
  retrieval_quality: {
    empty: preview,
    irrelevant: preview,
    duplicate: fact('The recorded search returned the same document several times.'),
    low_scores: preview,
  },
  context_neglect: { restart: preview, asked_again: preview, repeated_question: preview },
};

/** The declared maturity, limited by the measured figures. */
export function confirmMaturity(
  declared: MaturityTable,
  recordOf: (type: string, subtype: string) => Pick<SubtypeRecord, 'shortfall'> | null,
): MaturityTable {
  const entries = Object.entries(declared).map(([type, own]) => {
    const levels = Object.entries(own).map(([subtype, maturity]) => {
      const isShort = maturity.level === 'measured' && recordOf(type, subtype)?.shortfall !== null;
      return [subtype, isShort ? preview : maturity];
    });
    return [type, Object.fromEntries(levels)];
  });
  return Object.fromEntries(entries) as MaturityTable;
}

export const MATURITY = confirmMaturity(DECLARED_MATURITY, subtypeRecord);

/** The maturity of a subtype; preview if it is not listed. */
export function maturityOf(type: DetectionType, subtype: string): Maturity {
  const own = MATURITY[type];
  return Object.hasOwn(own, subtype) ? own[subtype]! : preview;
}
