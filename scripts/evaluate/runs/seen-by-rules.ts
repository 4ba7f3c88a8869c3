import { RUN_SOURCES } from './run-sources.ts';

/**
 * Sources whose runs were looked at while the rule of a subtype was chosen or changed, by `type/subtype`. All other run
 * sources were left out of that choice: only they can raise a subtype that maturity.ts declares `measured`. A subtype
 * that is not listed counts as chosen with every source in view and stays preview.
 */
export const SEEN_BY_RULES: Readonly<Record<string, readonly string[]>> = {
  'tool_failure/nothing_returned': ['tau_bench', 'hotpot_react', 'tau2_airline'],
  // Of tau2_telecom the rates of a rule of this kind were known (design notes), its runs were not looked at.
  'completion/check_unchanged': ['tau_bench', 'hotpot_react', 'tau2_airline', 'tau2_telecom'],
  'loop/restated': ['pddl_agents', 'masft_ag2_runs', 'autocoderover', 'autogen_humaneval'],
  'loop/same_verdict': ['pddl_agents', 'masft_ag2_runs'],
  'quality_gate/failed_run_left': ['pddl_agents', 'masft_ag2_runs'],
  'completion/unanswered_prompt': ['pddl_agents', 'masft_ag2_runs'],
  'completion/empty_answer': ['pddl_agents', 'masft_ag2_runs'],
  'specification/changed_quantity': ['pddl_agents', 'masft_ag2_runs'],
  'completion/unfulfilled_announcement': ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'],
};

export interface SubtypeSources {
  /** In view while the rule was chosen. */
  seen: readonly string[];
  leftOut: readonly string[];
  /** Whether the choice was recorded; figures without this record raise nothing. */
  isRecorded: boolean;
}

/** Unrecorded subtypes are reported with the usual split: sources that nothing was fitted on, and the others. */
export function sourcesOf(subtype: string, records = SEEN_BY_RULES): SubtypeSources {
  const recorded = Object.hasOwn(records, subtype) ? records[subtype]! : null;
  const seen = recorded ?? RUN_SOURCES.filter((source) => source.seen === 'known').map(({ set }) => set);
  const leftOut = RUN_SOURCES.map(({ set }) => set).filter((set) => !seen.includes(set));
  return { seen, leftOut, isRecorded: recorded !== null };
}
