import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { actOf } from '../_conduct/call-acts.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';

/** Polls of an agent that came back before the command or subagent had ended: a longer wait would have saved each of them. */
export interface Polling {
  /** Names of the waiting tools, the most used first. */
  tools: string[];
  agent: string | null;
  /** Steps of the polls that a longer wait would have saved. */
  steps: number[];
  /** How many commands or subagents were waited for. */
  waits: number;
  /** The time that most of these polls waited for, in milliseconds; null if their arguments do not name it. */
  waitMs: number | null;
}

/** Arguments that say how long a poll waits, in milliseconds. */
const WAIT_ARGUMENTS = ['yield_time_ms', 'timeout_ms', 'wait_ms', 'timeout'];

/**
 * Polls by agent, the most frequent first. Polls in a row wait for the same thing, whichever tool they use; the last of a
 * row brought the end and is not counted.
 */
export function polling(trace: Trace): Polling[] {
  const rows = new Map<string | null, ToolUse[][]>();
  const open = new Map<string | null, ToolUse[]>();
  for (const use of toolUses(trace)) {
    if (actOf(trace, use) !== 'wait') open.delete(use.agent);
    else {
      const row = open.get(use.agent);
      if (row) row.push(use);
      else {
        const begun = [use];
        open.set(use.agent, begun);
        rows.set(use.agent, [...(rows.get(use.agent) ?? []), begun]);
      }
    }
  }
  return [...rows].map(([agent, ofAgent]) => toPolling(agent, ofAgent)).sort((a, b) => b.steps.length - a.steps.length);
}

function toPolling(agent: string | null, rows: readonly ToolUse[][]): Polling {
  const early = rows.flatMap((row) => row.slice(0, -1));
  const names = Map.groupBy(early, ({ name }) => name);
  return {
    tools: [...names].sort(([, a], [, b]) => b.length - a.length).map(([name]) => name),
    agent,
    steps: early.map(({ step }) => step),
    waits: rows.filter((row) => row.length > 1).length,
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
