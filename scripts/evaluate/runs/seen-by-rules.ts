import type { AnalyzedRun } from './analyze-runs.ts';
import { RUN_SOURCES } from './run-sources.ts';

const CODING_RUNS = ['swe_agent', 'intercode_bash', 'intercode_python'];
const ASSISTANTS = ['tau_bench', 'hotpot_react', 'tau2_airline'];
const CHATS = ['pddl_agents', 'masft_ag2_runs'];

const KNOWN: readonly string[] = RUN_SOURCES.filter((source) => source.seen === 'known').map(({ set }) => set);

/** Read while code that a chat runs became a call, and while repeated calls were distinguished by the texts between them. */
const CALL_LOOPS = ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo', 'pddl_agents', 'autogen_humaneval'];

/**
 * Sources whose runs were read while the rule of a subtype was chosen or changed, by `type/subtype`. All other run sources
 * were left out of that choice: only they can raise a subtype whose manifest declares it `measured`. A subtype that is not
 * listed counts as chosen on the known sources, and figures do not raise it.
 */
export const SEEN_BY_RULES: Readonly<Record<string, readonly string[]>> = {
  'loop/cyclic': CALL_LOOPS,
  'loop/exact_repetition': CALL_LOOPS,
  'loop/stalled': CALL_LOOPS,
  'loop/retry_storm': CALL_LOOPS,
  'loop/unmoved_check': CODING_RUNS,
  'quality_gate/nothing_changed': CODING_RUNS,
  'quality_gate/only_new_files': CODING_RUNS,
  // Tests that a tool starts after each edit: runs of aider_swe were read.
  'quality_gate/failing_check_left': [...CODING_RUNS, 'aider_swe'],
  'completion/ended_on_failures': CODING_RUNS,
  // Chosen after its rates on every source were known.
  'completion/mostly_failed': RUN_SOURCES.map(({ set }) => set),
  'completion/result_unanswered': ASSISTANTS,
  // Records of rounds: runs of whowhen were read, and the rates on all run sources were known.
  'completion/ended_as_failed': ASSISTANTS,
  // Answers of the first three were read; the rates on all run sources were known.
  'completion/reported_not_done': [
    'webvoyager_browser_use',
    'agentdojo',
    'claude_code_retail',
    'tau2_airline',
    'tau_bench',
  ],
  // The rates on all run sources were known; none of their runs has one of these.
  'grounding/value_without_result': RUN_SOURCES.map(({ set }) => set),
  'completion/negative_check_omitted': RUN_SOURCES.map(({ set }) => set),
  'completion/requirement_unmet': RUN_SOURCES.map(({ set }) => set),
  'quality_gate/only_comments': RUN_SOURCES.map(({ set }) => set),
  'quality_gate/given_test_changed': RUN_SOURCES.map(({ set }) => set),
  'completion/pages_unread': RUN_SOURCES.map(({ set }) => set),
  'completion/unfinished_claimed': RUN_SOURCES.map(({ set }) => set),
  'tool_failure/failed_result_used': RUN_SOURCES.map(({ set }) => set),
  'completion/call_pending': [...ASSISTANTS, 'webvoyager_browser_use'],
  // Runs of whowhen were read; the minimum number of earlier runs was chosen after a detection in masft_ag2_runs was seen.
  'completion/code_not_run': ['autogen_humaneval', 'masft_ag2_runs'],
  // Its limits were chosen after detections in these had been read.
  'completion/stub_left': ['autogen_humaneval', 'swebench_miniswe', 'aider_swe'],
  'tool_failure/guess_not_found': [...ASSISTANTS, 'agentdojo'],
  // Runs whose arguments were rejected were read while their severity was chosen.
  'tool_failure/invalid_arguments': [...KNOWN, 'tau2_airline'],
  // The fault was read in runs of the first; values of the second were seen before the rule was final.
  'tool_failure/blocked_by_own_change': ['claude_code_retail', 'tau_bench'],
  'tool_failure/changes_rejected': ASSISTANTS,
  // The rates on all run sources were known; runs of masft_ag2_runs were read.
  'output_validation/other_result': ['masft_ag2_runs'],
  // How severe it is was chosen after detections in tau2_telecom had been read.
  'reasoning_action_mismatch/other_record': [...ASSISTANTS, 'tau2_telecom'],
  // For tau2_telecom the rates of a similar rule were known (design notes), and its runs were read for the last change.
  'completion/check_unchanged': [...ASSISTANTS, 'tau2_telecom'],
  'loop/restated': [...CHATS, 'autocoderover', 'autogen_humaneval'],
  'loop/same_verdict': CHATS,
  'loop/endless_wait': [],
  // Chosen on runs of sets that are not among these; the rates on all of them were then known.
  'completion/rejected_answer_repeated': RUN_SOURCES.map(({ set }) => set),
  'context_neglect/other_file': RUN_SOURCES.map(({ set }) => set),
  // Chosen on programs of the gauge; the rates on all run sources were then known.
  'context_neglect/same_reply': RUN_SOURCES.map(({ set }) => set),
  // Chosen on a chat of another source; repeated questions of all run sources were counted.
  'context_neglect/same_question': RUN_SOURCES.map(({ set }) => set),
  'grounding/contradicts_result': RUN_SOURCES.map(({ set }) => set),
  'output_validation/rejected_by_schema': RUN_SOURCES.map(({ set }) => set),
  'role_usurpation/rejected_call_made': RUN_SOURCES.map(({ set }) => set),
  'reasoning_action_mismatch/rejected_call_claimed': RUN_SOURCES.map(({ set }) => set),
  'workflow_design/no_branch_taken': RUN_SOURCES.map(({ set }) => set),
  'loop/repeated_text': RUN_SOURCES.map(({ set }) => set),
  // The messages of tests were read in runs of the last two.
  'quality_gate/failed_run_left': [...CHATS, 'autogen_humaneval', 'intercode_python'],
  // Rejections: runs of autocoderover were read, and the rates on all run sources were known.
  'completion/unanswered_prompt': RUN_SOURCES.map(({ set }) => set),
  'completion/empty_answer': CHATS,
  'specification/changed_quantity': CHATS,
  // Runs of the first three were read; the rates on the others changed its limits. The rates of claude_code_retail changed nothing.
  'context_neglect/unused_value': [
    'tau_bench',
    'agentdojo',
    'tau2_airline',
    'tau2_telecom',
    'hotpot_react',
    'pddl_agents',
    'autocoderover',
    'aider_swe',
    'webvoyager_browser_use',
  ],
  'completion/announced_call_missing': [...KNOWN, 'webvoyager_browser_use'],
  'completion/unfulfilled_announcement': ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'],
};

export interface SubtypeSources {
  /** Sources that were read while the rule was chosen. */
  seen: readonly string[];
  leftOut: readonly string[];
  /** Whether the choice was recorded; figures without this record do not raise maturity. */
  isRecorded: boolean;
}

/** Unrecorded subtypes are reported with the usual split: sources that nothing was fitted on, and the others. */
export function sourcesOf(subtype: string, records = SEEN_BY_RULES): SubtypeSources {
  const recorded = Object.hasOwn(records, subtype) ? records[subtype]! : null;
  const seen = recorded ?? KNOWN;
  const leftOut = RUN_SOURCES.map(({ set }) => set).filter((set) => !seen.includes(set));
  return { seen, leftOut, isRecorded: recorded !== null };
}

/** The runs with only those detections whose rules were chosen without their source. */
export function byUnseenRules(runs: readonly AnalyzedRun[], records = SEEN_BY_RULES): AnalyzedRun[] {
  return runs.map((run) => ({
    ...run,
    detections: run.detections.filter(
      ({ type, subtype }) => !sourcesOf(`${type}/${subtype}`, records).seen.includes(run.set),
    ),
  }));
}
