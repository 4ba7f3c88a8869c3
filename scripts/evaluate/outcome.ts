import { isJsonObject, type JsonObject } from '../../src/core/json.ts';
import { RUN_SOURCES } from './runs/run-sources.ts';

/** How a run ended according to its labels. `mixed`: they do not state whether it succeeded. */
export type Outcome = 'healthy' | 'failing' | 'attacked' | 'mixed';

/** Sets with whole runs of agents, in the order they are reported. */
export const TRACE_SETS = [
  'tau2_airline',
  'tau2_telecom',
  'claude_code_retail',
  'swe_agent',
  'hotpot_react',
  'intercode_bash',
  'intercode_python',
  'pddl_agents',
  'autocoderover',
  'autogen_humaneval',
  'webvoyager_browser_use',
  'aider_swe',
  'tau_bench',
  'swebench_miniswe',
  'masft_ag2_runs',
  'agentdojo',
  'injecagent',
  'asb',
  'trail',
  'whowhen',
  'agentrx',
  'agenterrorbench',
  'masft_human',
] as const;
export type TraceSet = (typeof TRACE_SETS)[number];

/** Sets whose passed runs count as healthy, and those in which every run failed. */
const JUDGED_BY_REWARD: ReadonlySet<string> = new Set(RUN_SOURCES.map(({ set }) => set));
const ALL_FAILED: ReadonlySet<string> = new Set(['trail', 'whowhen', 'agentrx', 'agenterrorbench']);

/** The only place that reads labels; called after detection. */
export function outcomeOf(set: TraceSet, record: JsonObject): Outcome {
  const labels = isJsonObject(record.labels) ? record.labels : {};
  if (labels.attack_run === true || labels.is_injection === true) return 'attacked';
  if (ALL_FAILED.has(set)) return 'failing';
  if (!JUDGED_BY_REWARD.has(set) || typeof labels.reward !== 'number') return 'mixed';
  return labels.reward === 1 ? 'healthy' : 'failing';
}
