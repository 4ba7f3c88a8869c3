import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Step } from '../../core/trace.ts';
import type { StepFacts } from '../conventions/step-facts.ts';
import { canonicalText } from './canonical-text.ts';

type Facts = readonly Partial<StepFacts>[];

/** One visit of a graph node, with the state it received and the fields it wrote. */
interface Visit {
  step: Step;
  superstep: number;
  before: JsonObject;
  /** Null if the node failed or has not ended: it then wrote no state. */
  update: JsonObject | null;
}

/** States after the visits of every graph of a trace (a subgraph is a graph of its own), in no particular order. */
export function visitedStates(steps: readonly Step[], facts: Facts): RecordedState[] {
  const byGraph = new Map<number | null, Visit[]>();
  for (const step of steps) {
    const visit = toVisit(step, facts[step.index] as Partial<StepFacts>);
    if (!visit) continue;
    const visits = byGraph.get(step.parent);
    if (visits) visits.push(visit);
    else byGraph.set(step.parent, [visit]);
  }
  return [...byGraph].flatMap(([graph, visits]) => {
    const end = graph === null ? undefined : facts[graph]?.stateUpdate;
    return graphStates(`graph ${graph}`, visits, isJsonObject(end) ? end : undefined);
  });
}

function toVisit(step: Step, facts: Partial<StepFacts>): Visit | null {
  if (facts.superstep === undefined || facts.stateAfter !== undefined || step.node === null) return null;
  if (!isJsonObject(facts.stateBefore)) return null;
  const update = isJsonObject(facts.stateUpdate) ? facts.stateUpdate : null;
  return { step, superstep: facts.superstep, before: facts.stateBefore, update };
}

function graphStates(series: string, visits: Visit[], end: JsonObject | undefined): RecordedState[] {
  const exactly = knownOutcomes(visits, end);
  const merging = learnMerging(visits, exactly);
  const states: RecordedState[] = [];
  for (const visit of visits) {
    const state = visit.update === null ? null : (exactly.get(visit) ?? merge(visit.before, visit.update, merging));
    if (state !== null) states.push({ step: visit.step, series, state });
  }
  return states;
}

/** The result of the last writer of a superstep is the input of the next superstep, or the final state of the graph. */
function knownOutcomes(visits: Visit[], end: JsonObject | undefined): Map<Visit, JsonObject> {
  const givenAt = new Map<number, JsonObject>();
  const lastAt = new Map<number, Visit>();
  let lastSuperstep = 0;
  for (const visit of visits) {
    if (!givenAt.has(visit.superstep)) givenAt.set(visit.superstep, visit.before);
    if (visit.update !== null) lastAt.set(visit.superstep, visit);
    lastSuperstep = Math.max(lastSuperstep, visit.superstep);
  }
  const outcomes = new Map<Visit, JsonObject>();
  for (const [superstep, visit] of lastAt) {
    const next = superstep === lastSuperstep ? end : givenAt.get(superstep + 1);
    if (next) outcomes.set(visit, next);
  }
  return outcomes;
}

/** How a graph merges writes into a field. The spans do not contain it, so it is derived from writes with a known outcome. */
type Merging = 'replace' | 'add' | 'append';
const MERGINGS: readonly Merging[] = ['replace', 'add', 'append'];

/** Fields whose merging is ambiguous, each with the modes that fit all writes with a known outcome. */
function learnMerging(visits: Visit[], outcomes: Map<Visit, JsonObject>): Map<string, Set<Merging>> {
  const possible = new Map<string, Set<Merging>>();
  for (const visit of visits) {
    if (visit.update === null || outcomes.has(visit)) continue;
    for (const field of Object.keys(visit.update)) possible.set(field, new Set(MERGINGS));
  }
  if (possible.size === 0) return possible;
  for (const visit of onlyWriters(visits)) {
    const after = outcomes.get(visit);
    if (after && visit.update) ruleOut(possible, visit.before, visit.update, after);
  }
  return possible;
}

/** Writes of one superstep are mixed in its outcome: only that of a single writer can be determined. */
function onlyWriters(visits: Visit[]): Visit[] {
  const writers = new Map<number, number>();
  for (const { superstep } of visits) writers.set(superstep, (writers.get(superstep) ?? 0) + 1);
  return visits.filter((visit) => writers.get(visit.superstep) === 1);
}

function ruleOut(possible: Map<string, Set<Merging>>, before: JsonObject, update: JsonObject, after: JsonObject): void {
  for (const [field, mergings] of possible) {
    const written = update[field];
    if (written === undefined) continue;
    const outcome = canonicalText(after[field] ?? null);
    for (const merging of mergings) {
      const merged = mergeField(before[field], written, merging);
      if (merged === undefined || canonicalText(merged) !== outcome) mergings.delete(merging);
    }
  }
}

/** Null if the outcome of a number is unknown: a wrong guess would look like a decreasing counter. */
function merge(before: JsonObject, update: JsonObject, learned: Map<string, Set<Merging>>): JsonObject | null {
  const after: JsonObject = { ...before };
  for (const [field, written] of Object.entries(update)) {
    const possible = learned.get(field);
    const merging = possible?.size === 1 ? ([...possible][0] as Merging) : usualMerging(field, before[field], written);
    const merged = merging === null ? undefined : mergeField(before[field], written, merging);
    if (merged === undefined) return null;
    after[field] = merged;
  }
  return after;
}

function usualMerging(field: string, before: Json | undefined, written: Json): Merging | null {
  if (field === 'messages' && Array.isArray(before) && Array.isArray(written)) return 'append';
  return typeof before === 'number' && typeof written === 'number' && before !== 0 ? null : 'replace';
}

function mergeField(before: Json | undefined, written: Json, merging: Merging): Json | undefined {
  if (merging === 'replace') return written;
  if (merging === 'add')
    return typeof before === 'number' && typeof written === 'number' ? before + written : undefined;
  if (!Array.isArray(before) || !Array.isArray(written)) return undefined;
  // The entry node writes the input of the graph: the same list is not appended twice.
  return canonicalText(before) === canonicalText(written) ? before : [...before, ...written];
}

/** Owner of a state: states of different graphs or threads are never compared. */
export interface RecordedState {
  step: Step;
  series: string;
  state: Json;
}
