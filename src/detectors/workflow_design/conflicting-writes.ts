import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { StateSnapshot, Step, Trace } from '../../core/trace.ts';
import { isRefusedWrite } from '../_readings/calls/run-errors.ts';
import type { Flaw } from './flaw.ts';

/** Names of fields in which each branch writes about itself. */
const BRANCH_FIELDS =
  /^(?:output|result|response|content|text|answer|message|messages|input|data|value|next|status|agent|sender|node|step|error)s?$/i;
const BRANCH_FIELD_PART = /(?:^|_)(?:time|timestamp|at|ms|latency|duration|last|current|updated|id|run)(?:_|$)/i;

/** Senders round starts but not ends to milliseconds, so that consecutive steps seem to overlap. */
const CLOCK_ERROR_MS = 2;

/** Number of neighbours in the list of states to check for overlap. */
const WINDOW = 16;

/**
 * Parallel branches that wrote different values to a field of a shared state. A field is shared if a state after both
 * branches contains one of the two values; otherwise, branches may have states of their own.
 */
export function findConflictingWrites(trace: Trace): Flaw[] {
  const refused = trace.steps.find((step) => step.error !== null && isRefusedWrite(step.error));
  if (refused !== undefined) return [refusedWrite(refused)];
  const flaws = new Map<string, Flaw>();
  for (const [at, first] of trace.states.entries()) {
    for (const second of trace.states.slice(at + 1, at + 1 + WINDOW)) {
      if (!areParallel(first, second, trace)) continue;
      for (const field of conflictingFields(first, second, trace)) {
        if (!flaws.has(field) && isOneValueLeft(field, first, second, trace))
          flaws.set(field, conflictOf(field, first, second, trace));
      }
    }
  }
  return [...flaws.values()];
}

function refusedWrite(step: Step): Flaw {
  const field = /key '([\w.]{1,60})'/.exec(step.error!.message)?.[1] ?? 'a field';
  return {
    ...adviceTexts(field, step.node ?? step.name, 'another branch'),
    score: 0.95,
    step: step.index,
    steps: [step.index],
    agent: step.agent,
    explanation: `At ${step.node ?? step.name} two branches wrote \`${field}\` in the same step, and the framework rejected the run because the field has no reducer.`,
    evidence: [
      {
        kind: 'error',
        spanId: step.spanId,
        path: 'error.message',
        quote: step.error!.message || step.error!.type,
        value: null,
      },
    ],
  };
}

function areParallel(a: StateSnapshot, b: StateSnapshot, trace: Trace): boolean {
  const [one, two] = [trace.steps[a.step]!, trace.steps[b.step]!];
  if (a.threadId !== b.threadId || one.index === two.index || one.parent !== two.parent) return false;
  if (writer(a, one) === writer(b, two)) return false;
  if (one.startMs === null || two.startMs === null || one.endMs === null || two.endMs === null) return false;
  return Math.min(one.endMs, two.endMs) - Math.max(one.startMs, two.startMs) > CLOCK_ERROR_MS;
}

/** Whether the first state after both branches that has the field contains a value that one of them wrote. */
function isOneValueLeft(field: string, a: StateSnapshot, b: StateSnapshot, trace: Trace): boolean {
  const end = Math.max(trace.steps[a.step]!.endMs!, trace.steps[b.step]!.endMs!);
  const later = trace.states.find(
    ({ step, threadId, state }) =>
      threadId === a.threadId &&
      (trace.steps[step]!.startMs ?? 0) >= end - CLOCK_ERROR_MS &&
      isJsonObject(state) &&
      Object.hasOwn(state, field),
  );
  const left = (later?.state as JsonObject | undefined)?.[field];
  return [a, b].some(({ state }) => (state as JsonObject)[field] === left);
}

function writer(snapshot: StateSnapshot, step: Step): string {
  return snapshot.node ?? snapshot.agent ?? step.name;
}

function conflictingFields(a: StateSnapshot, b: StateSnapshot, trace: Trace): string[] {
  const base = stateBefore(a, b, trace);
  const [one, two] = [changedValues(a, base), changedValues(b, base)];
  return [...one.keys()].filter((field) => two.has(field) && two.get(field) !== one.get(field));
}

/** The last whole state before either branch started. */
function stateBefore(a: StateSnapshot, b: StateSnapshot, trace: Trace): JsonObject {
  const begin = Math.min(trace.steps[a.step]!.startMs!, trace.steps[b.step]!.startMs!);
  const earlier = trace.states.findLast(
    (snapshot) => snapshot.sequence < a.sequence && (trace.steps[snapshot.step]!.endMs ?? Infinity) <= begin,
  );
  return isJsonObject(earlier?.state) ? earlier.state : {};
}

/** Plain values that a branch changed. Lists are omitted because reducers append to them. */
function changedValues(snapshot: StateSnapshot, base: JsonObject): Map<string, Json> {
  const state = isJsonObject(snapshot.state) ? snapshot.state : {};
  return new Map(
    Object.entries(state).filter(
      ([field, value]) =>
        typeof value !== 'object' &&
        value !== base[field] &&
        !BRANCH_FIELDS.test(field) &&
        !BRANCH_FIELD_PART.test(field),
    ),
  );
}

function conflictOf(field: string, a: StateSnapshot, b: StateSnapshot, trace: Trace): Flaw {
  const [one, two] = [trace.steps[a.step]!, trace.steps[b.step]!];
  const [first, second] = [writer(a, one), writer(b, two)];
  const [mine, theirs] = [(a.state as JsonObject)[field]!, (b.state as JsonObject)[field]!];
  return {
    ...adviceTexts(field, first, second),
    score: 0.62,
    step: two.index,
    steps: [two.index, one.index],
    agent: b.agent,
    explanation: `${first} and ${second} ran at the same time and both wrote \`${field}\`: ${JSON.stringify(mine)} and ${JSON.stringify(theirs)}. The state after them contains only one of the two.`,
    evidence: [
      { kind: 'state_change', spanId: one.spanId, path: `state.${field}`, quote: null, value: mine },
      { kind: 'state_change', spanId: two.spanId, path: `state.${field}`, quote: null, value: theirs },
    ],
  };
}

function adviceTexts(field: string, first: string, second: string) {
  return {
    subtype: 'conflicting_writes' as const,
    suggestedAction: `Give each branch a field of its own, or merge their writes to ${field} with a reducer.`,
    target: `state.${field}`,
    change: `${field}: Annotated[list, operator.add]  # ${first}, ${second}; or one field a branch, joined by a later node`,
    rationale: 'With a reducer both results are kept, in whatever order the branches finish.',
    key: `conflict ${field}`,
  };
}
