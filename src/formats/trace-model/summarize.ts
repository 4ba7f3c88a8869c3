import type { CodingSession, Step, Trace, TraceStatus } from '../../core/trace.ts';
import { sumTokens } from './attribute-tokens.ts';
import { durationMs, roundMs } from './duration.ts';

/** A trace's summary without facts that only the store has. Times in Unix milliseconds. */
export interface TraceSummary {
  framework: string;
  serviceName: string | null;
  name: string;
  /** At most 2000 characters. */
  task: string | null;
  status: TraceStatus;
  sessionId: string | null;
  threadId: string | null;
  startedAtMs: number | null;
  endedAtMs: number | null;
  durationMs: number | null;
  spanCount: number;
  stateCount: number;
  agentIds: string[];
  totalTokens: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  models: string[];
  /** Null for a trace that is not a session of a coding agent. */
  codingSession: CodingSession | null;
}

const TASK_CHARACTERS = 2000;

export function summarizeTrace(trace: Trace): TraceSummary {
  const { tokens, startedAtMs, endedAtMs } = trace;
  return {
    framework: trace.framework,
    serviceName: trace.serviceName,
    name: trace.name,
    task: trace.task?.slice(0, TASK_CHARACTERS) ?? null,
    status: trace.status,
    sessionId: trace.sessionId,
    threadId: trace.threadId,
    startedAtMs,
    endedAtMs,
    durationMs: durationMs({ startMs: startedAtMs, endMs: endedAtMs }),
    spanCount: trace.steps.length,
    stateCount: trace.states.length,
    agentIds: trace.agents,
    totalTokens: tokens.total ?? 0,
    inputTokens: tokens.input ?? 0,
    outputTokens: tokens.output ?? 0,
    costUsd: trace.costUsd,
    models: trace.models,
    codingSession: trace.codingSession ?? null,
  };
}

/** Work of one agent in one trace. Latency is that of its turns: steps that are not inside another step of the same agent. */
export interface AgentSummary {
  agentId: string;
  stepCount: number;
  tokensUsed: number;
  latencySumMs: number;
  latencyCount: number;
  /** Unix milliseconds; null if no step has a time. */
  lastActiveAtMs: number | null;
  errorCount: number;
}

/** One per agent in `trace.agents`, in that order. */
export function summarizeAgents(trace: Trace): AgentSummary[] {
  const stepsOf = new Map<string, Step[]>(trace.agents.map((agent) => [agent, []]));
  for (const step of trace.steps) if (step.agent !== null) stepsOf.get(step.agent)?.push(step);
  return [...stepsOf].map(([agent, steps]) => summarizeAgent(agent, steps, trace));
}

function summarizeAgent(agent: string, steps: Step[], trace: Trace): AgentSummary {
  const turns = steps.filter((step) => step.parent === null || trace.steps[step.parent]?.agent !== agent);
  const latencies = turns.map(durationMs).filter((latency) => latency !== null);
  let lastActiveAt: number | null = null;
  for (const { startMs, endMs } of steps) {
    const at = endMs ?? startMs;
    if (at !== null && (lastActiveAt === null || at > lastActiveAt)) lastActiveAt = at;
  }
  return {
    agentId: agent,
    stepCount: steps.length,
    tokensUsed: sumTokens(steps).total ?? 0,
    latencySumMs: roundMs(latencies.reduce((sum, latency) => sum + latency, 0)),
    latencyCount: latencies.length,
    lastActiveAtMs: lastActiveAt,
    errorCount: steps.filter((step) => step.status === 'error').length,
  };
}
