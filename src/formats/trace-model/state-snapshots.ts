import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { StateSnapshot, Step } from '../../core/trace.ts';
import type { StepFacts } from '../conventions/step-facts.ts';
import { canonicalText } from './canonical-text.ts';
import { durationMs } from './duration.ts';
import type { RecordedState } from './visited-states.ts';
import { visitedStates } from './visited-states.ts';

type Facts = readonly Partial<StepFacts>[];

/**
 * States in order of creation. Recorded states are used directly. If a sender records the inputs and writes of nodes
 * (LangGraph), the state after a node is the input of the next superstep, or after the last one the final state; only if
 * that is unknown, the node's writes are applied to its input.
 */
export function stateSnapshots(steps: readonly Step[], facts: Facts): StateSnapshot[] {
  const recorded = [...recordedStates(steps, facts), ...visitedStates(steps, facts)];
  recorded.sort((a, b) => (momentOf(a.step) ?? 0) - (momentOf(b.step) ?? 0) || a.step.index - b.step.index);
  if (recorded.length === 0) return [];
  const tokens = tokensWithin(steps);
  const lastOf = new Map<string, Map<string, string> | null>();
  return recorded.map(({ step, series, state }, sequence) => {
    const fields = fieldTexts(state);
    const before = lastOf.get(series);
    lastOf.set(series, fields);
    return {
      sequence,
      step: step.index,
      spanId: step.spanId,
      agent: step.agent,
      node: nodeOf(step, facts[step.index]),
      checkpointId: facts[step.index]?.checkpointId ?? null,
      threadId: facts[step.index]?.threadId ?? null,
      state,
      delta: before === undefined ? null : deltaOf(before, fields, state),
      stateHash: hashOf(fields, state),
      tokenCount: tokens[step.index] ?? null,
      latencyMs: durationMs(step),
      atMs: momentOf(step),
    };
  });
}

function momentOf(step: Step): number | null {
  return step.endMs ?? step.startMs;
}

function nodeOf(step: Step, facts: Partial<StepFacts> | undefined): string | null {
  return step.node ?? facts?.node ?? null;
}

function recordedStates(steps: readonly Step[], facts: Facts): RecordedState[] {
  const found: RecordedState[] = [];
  for (const step of steps) {
    const state = facts[step.index]?.stateAfter;
    if (state !== undefined) found.push({ step, series: `thread ${facts[step.index]?.threadId ?? ''}`, state });
  }
  return found;
}

/** Canonical text of every top-level field; null for a state that is not an object. */
function fieldTexts(state: Json): Map<string, string> | null {
  if (!isJsonObject(state)) return null;
  return new Map(
    Object.keys(state)
      .sort()
      .map((key) => [key, canonicalText(state[key] as Json)]),
  );
}

function deltaOf(before: Map<string, string> | null, now: Map<string, string> | null, state: Json): Json {
  if (!before || !now || !isJsonObject(state)) return state;
  const delta: JsonObject = {};
  for (const [key, text] of now) if (before.get(key) !== text) delta[key] = state[key] as Json;
  for (const key of before.keys()) if (!now.has(key)) delta[key] = null;
  return delta;
}

function hashOf(fields: Map<string, string> | null, state: Json): string {
  const hash = createHash('sha256');
  if (!fields) return hash.update(canonicalText(state)).digest('hex').slice(0, 16);
  let separator = '{';
  for (const [key, text] of fields) {
    hash.update(`${separator}${JSON.stringify(key)}:${text}`);
    separator = ',';
  }
  return hash
    .update(separator === '{' ? '{}' : '}')
    .digest('hex')
    .slice(0, 16);
}

/** Tokens spent in each step and everything below it; null if none are known. */
function tokensWithin(steps: readonly Step[]): (number | null)[] {
  const within = steps.map((step) => step.tokens.total);
  for (let index = steps.length - 1; index >= 0; index--) {
    const parent = (steps[index] as Step).parent;
    const own = within[index] ?? null;
    if (parent !== null && own !== null) within[parent] = (within[parent] ?? 0) + own;
  }
  return within;
}
