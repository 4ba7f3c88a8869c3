import type { ToolUse } from '../calls/calls.ts';
import { countBefore, type Turns } from './repetition.ts';

/**
 * Series of one call (tool and arguments) that failed with the same message at least `minLength` times, without a success
 * or a user message in between. The same error for different arguments is not a retry: trying one id after the other is a
 * search.
 */
export function findStorms(uses: readonly ToolUse[], turns: Turns, minLength: number): number[][] {
  const running = new Map<string, { message: string; at: number[] }>();
  const userTurnsBefore = countBefore(uses, turns.user);
  const found: number[][] = [];
  const close = (call: string) => {
    const run = running.get(call);
    if (run !== undefined && run.at.length >= minLength) found.push(run.at);
    running.delete(call);
  };
  for (const [at, use] of uses.entries()) {
    if (use.command !== null) continue;
    const call = `${use.actor} ${use.name} ${use.argumentsText}`;
    const message = use.failure === null ? null : errorShape(use.failure.message);
    const open = running.get(call);
    const isCutShort = open !== undefined && userTurnsBefore[open.at[0]!] !== userTurnsBefore[at];
    if (open?.message !== message || isCutShort) close(call);
    if (message === null) continue;
    const run = running.get(call) ?? { message, at: [] };
    const before = run.at.at(-1);
    if (before !== undefined && isParallel(uses[before]!, use)) continue;
    run.at.push(at);
    running.set(call, run);
  }
  for (const call of [...running.keys()]) close(call);
  return found;
}

/** Whether one model message requested all calls: none of them is a retry of another. */
export function isParallel(one: ToolUse, other: ToolUse): boolean {
  return one.messageId !== null && one.messageId === other.messageId;
}

/** The wording of an error without its values. */
export function errorShape(message: string): string {
  return message
    .slice(0, 200)
    .replace(/'[^']*'|"[^"]*"/g, '#')
    .replace(/\d+/g, '#')
    .toLowerCase();
}
