import { isJsonObject } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { actOf } from '../conduct/call-acts.ts';

/**
 * Polls of one agent that returned before the command or subagent had finished. A longer timeout would have saved each of
 * them.
 */
export interface Polling {
  /** Names of the polling tools, the most used first. */
  tools: string[];
  agent: string | null;
  /** Steps of the avoidable polls. */
  steps: number[];
  /** Number of commands or subagents that the agent waited for. */
  waits: number;
  /** The most frequent timeout of these polls in milliseconds; null if the arguments do not name it. */
  waitMs: number | null;
}

/** Arguments that set how long a poll waits, in milliseconds. */
const WAIT_ARGUMENTS = ['yield_time_ms', 'timeout_ms', 'wait_ms', 'timeout'];

/**
 * Polls by agent, the most frequent first. Consecutive polls wait for the same thing, whichever tool they use. The last
 * poll of a series returned the result and is not counted.
 */
export function polling(trace: Trace): Polling[] {
  const series = new Map<string | null, ToolUse[][]>();
  const open = new Map<string | null, ToolUse[]>();
  for (const use of toolUses(trace)) {
    if (actOf(trace, use) !== 'wait') open.delete(use.agent);
    else {
      const polls = open.get(use.agent);
      if (polls) polls.push(use);
      else {
        const first = [use];
        open.set(use.agent, first);
        series.set(use.agent, [...(series.get(use.agent) ?? []), first]);
      }
    }
  }
  return [...series]
    .map(([agent, ofAgent]) => toPolling(agent, ofAgent))
    .sort((a, b) => b.steps.length - a.steps.length);
}

function toPolling(agent: string | null, series: readonly ToolUse[][]): Polling {
  const early = series.flatMap((polls) => polls.slice(0, -1));
  const names = Map.groupBy(early, ({ name }) => name);
  return {
    tools: [...names].sort(([, a], [, b]) => b.length - a.length).map(([name]) => name),
    agent,
    steps: early.map(({ step }) => step),
    waits: series.filter((polls) => polls.length > 1).length,
    waitMs: median(early.flatMap((use) => waitOf(use) ?? [])),
  };
}

function waitOf({ arguments: args }: ToolUse): number | null {
  if (!isJsonObject(args)) return null;
  const named = WAIT_ARGUMENTS.map((key) => args[key]).find((value) => typeof value === 'number' && value > 0);
  return typeof named === 'number' ? named : null;
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null;
}
