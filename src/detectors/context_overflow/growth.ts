import type { ContextLoad } from './context-load.ts';
import { containsTextOf } from './conversation.ts';

/** Number of consecutive calls, each larger than the one before, that make a trend. */
const MIN_RISING = 4;
/** Share of the window from which a trend is reported. */
const MIN_RATIO = 0.5;
/** Number of further calls within which the window would be full. */
const MAX_CALLS_LEFT = 5;

export interface Growth {
  loads: ContextLoad[];
  /** Median number of tokens that each of the last calls added. */
  tokensPerCall: number;
  callsLeft: number;
}

/** The trend of one agent's last calls, if it would fill the window within a few more calls; null otherwise. */
export function findGrowth(loads: readonly ContextLoad[]): Growth | null {
  const last = loads.at(-1);
  if (last?.ratio == null || last.contextWindow === null || last.ratio < MIN_RATIO) return null;
  const rising = risingTail(loads);
  if (rising.length < MIN_RISING) return null;
  const tokensPerCall = median(increments(rising).slice(-4));
  const callsLeft = Math.ceil((last.contextWindow - last.inputTokens - last.outputTokens) / tokensPerCall);
  return callsLeft <= MAX_CALLS_LEFT ? { loads: rising, tokensPerCall, callsLeft } : null;
}

function risingTail(loads: readonly ContextLoad[]): ContextLoad[] {
  let start = loads.length - 1;
  while (start > 0 && loads[start - 1]!.inputTokens < loads[start]!.inputTokens) start -= 1;
  return loads.slice(start);
}

function increments(loads: readonly ContextLoad[]): number[] {
  return loads.slice(1).map((load, index) => load.inputTokens - loads[index]!.inputTokens);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/**
 * The last calls of different agents with one model, in which each call began after the previous one ended and its prompt
 * contains text of that call: one conversation that is passed from node to node. Graph nodes without recorded prompts share
 * the graph state. Empty if one agent made all calls.
 */
export function sharedLoads(loads: readonly ContextLoad[]): ContextLoad[] {
  const last = loads.at(-1);
  if (last?.ratio == null || last.ratio < MIN_RATIO) return [];
  const tail: ContextLoad[] = [];
  for (const load of loads.toReversed()) {
    const after = tail[0];
    if (load.contextWindow !== last.contextWindow || (after !== undefined && !isPassedOn(load, after))) break;
    tail.unshift(load);
  }
  return new Set(tail.map(({ step }) => step.agent)).size > 1 ? tail : [];
}

function isPassedOn(load: ContextLoad, after: ContextLoad): boolean {
  if ((load.step.endMs ?? 0) > (after.step.startMs ?? Number.POSITIVE_INFINITY)) return false;
  return containsTextOf(after, load) ?? (load.step.node !== null && after.step.node !== null);
}
