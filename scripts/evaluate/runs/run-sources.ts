/** One source of whole agent runs whose outcome is known: a data set with its framework. */
export interface RunSource {
  set: string;
  /**
   * `known`: the rules and fitted parts were written with this source at hand. `read`: its dev part was read while
   * rules were changed or switched off, but nothing is fitted on it. No dev source is unseen: sealed sources are
   * scored elsewhere.
   */
  seen: 'known' | 'read';
  /** The terms of the source do not allow fitting on it. */
  isMeasureOnly: boolean;
  /** Length of the run alone separates failing from healthy runs, because runs stop at success. */
  isDecidedByLength?: true;
}

/** Sources without fitting are reported first. */
export const RUN_SOURCES: readonly RunSource[] = [
  { set: 'tau2_airline', seen: 'read', isMeasureOnly: true },
  { set: 'tau2_telecom', seen: 'read', isMeasureOnly: false },
  { set: 'claude_code_retail', seen: 'read', isMeasureOnly: true },
  { set: 'swe_agent', seen: 'read', isMeasureOnly: true },
  { set: 'hotpot_react', seen: 'read', isMeasureOnly: false },
  { set: 'intercode_bash', seen: 'read', isMeasureOnly: false, isDecidedByLength: true },
  { set: 'intercode_python', seen: 'read', isMeasureOnly: false, isDecidedByLength: true },
  { set: 'pddl_agents', seen: 'read', isMeasureOnly: true },
  { set: 'autocoderover', seen: 'read', isMeasureOnly: true },
  { set: 'autogen_humaneval', seen: 'read', isMeasureOnly: true, isDecidedByLength: true },
  { set: 'webvoyager_browser_use', seen: 'read', isMeasureOnly: true },
  { set: 'aider_swe', seen: 'read', isMeasureOnly: false },
  { set: 'tau_bench', seen: 'known', isMeasureOnly: false },
  { set: 'swebench_miniswe', seen: 'known', isMeasureOnly: false },
  { set: 'masft_ag2_runs', seen: 'known', isMeasureOnly: false },
  { set: 'agentdojo', seen: 'known', isMeasureOnly: false },
];
