/** Records whose held-out scores are requested: attacks, and every kind of ordinary text and run. */
export const RECORD_SETS: readonly string[] = [
  'notinject_injecguard',
  'bipia',
  'cyberseceval_pi',
  'giskard_pi',
  'agentdojo',
  'injecagent',
  'tau_bench',
  'swebench_miniswe',
  'masft_ag2_runs',
  'trail',
  'whowhen',
  'agentrx',
  'agenterrorbench',
];
