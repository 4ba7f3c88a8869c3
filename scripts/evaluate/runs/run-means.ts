import type { Trace } from '../../../src/core/trace.ts';
import { codingWork } from '../../../src/detectors/_conduct/coding-work.ts';
import { toolUses } from '../../../src/detectors/_kit/calls.ts';

/** What a run has to contain before some subtypes can say anything about it. */
export const RUN_MEANS = [
  'calls',
  'repeatable_calls',
  'failed_calls',
  'several_models',
  'several_agents',
  'user_turns',
  'states',
  'tokens',
  'graph',
  'documents',
  'edits',
  'tests',
  'answer',
] as const;
export type RunMeans = (typeof RUN_MEANS)[number];

const FEWEST_REPEATABLE = 3;

const HAS: Readonly<Record<RunMeans, (trace: Trace) => boolean>> = {
  calls: (trace) => toolUses(trace).length > 0,
  repeatable_calls: (trace) => toolUses(trace).length >= FEWEST_REPEATABLE,
  failed_calls: (trace) => toolUses(trace).some(({ isError }) => isError),
  several_models: (trace) => modelAgents(trace) > 1,
  several_agents: (trace) => trace.agents.length > 1,
  user_turns: (trace) => userTurns(trace) > 1,
  states: (trace) => trace.states.length > 0 || trace.checkpoints.length > 0,
  tokens: (trace) => trace.tokens.total !== null || trace.tokens.input !== null,
  graph: (trace) => trace.graph !== null || trace.steps.some(({ goto }) => goto.length > 0),
  documents: (trace) => trace.steps.some(({ documents }) => documents.length > 0),
  edits: (trace) => codingWork(trace).some(({ kind }) => kind === 'edit'),
  tests: (trace) => codingWork(trace).some(({ kind }) => kind === 'suite' || kind === 'check'),
  answer: (trace) => (trace.finalOutput ?? '') !== '',
};

export function meansOf(trace: Trace): RunMeans[] {
  return RUN_MEANS.filter((means) => HAS[means](trace));
}

/** Agents that act through a language model of their own. */
function modelAgents(trace: Trace): number {
  return new Set(trace.steps.flatMap(({ kind, agent }) => (kind === 'llm' && agent !== null ? [agent] : []))).size;
}

function userTurns({ steps }: Trace): number {
  const messages = steps.filter(({ kind, agent, name }) => kind === 'message' && (agent ?? name) === 'user').length;
  const inModelCalls = steps.map(({ inputMessages }) => inputMessages.filter(({ role }) => role === 'user').length);
  return Math.max(messages, 0, ...inModelCalls);
}
