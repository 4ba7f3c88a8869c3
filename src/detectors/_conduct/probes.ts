import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { onceEach } from '../_kit/once.ts';

/** A call that was made at least twice with the same name and arguments, by anyone in the run, with its results in order. */
export interface Probe {
  uses: readonly [ToolUse, ToolUse, ...ToolUse[]];
  /** Their positions among all uses of the run. */
  at: readonly number[];
}

/** In the order of their first call. Calls without a recorded result are left out. */
export const probes = onceEach((trace: Trace): readonly Probe[] => {
  const groups = new Map<string, { uses: ToolUse[]; at: number[] }>();
  for (const [at, use] of toolUses(trace).entries()) {
    if (!use.hasResult && !use.isError) continue;
    const key = `${use.name}\n${use.argumentsText}`;
    const group = groups.get(key) ?? { uses: [], at: [] };
    group.uses.push(use);
    group.at.push(at);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ uses, at }) => {
    const [first, second, ...others] = uses;
    return first === undefined || second === undefined ? [] : [{ uses: [first, second, ...others], at }];
  });
});

/** Whether every result of a probe says the same, apart from times and ids of requests. */
export function isConstant({ uses }: Probe): boolean {
  return uses.every(({ resultHash }) => resultHash === uses[0].resultHash);
}

/**
 * Calls between two positions that tried something: they may change a state, and the same call had not been made since the
 * first of the two.
 */
export function attemptsBetween(uses: readonly ToolUse[], from: number, to: number): ToolUse[] {
  const seen = new Set<string>();
  return uses.slice(from + 1, to).filter((use) => {
    const key = `${use.name}\n${use.argumentsText}`;
    return use.changesState && !use.isError && !seen.has(key) && seen.add(key);
  });
}
