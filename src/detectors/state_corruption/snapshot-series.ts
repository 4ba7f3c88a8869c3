import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { StateSnapshot } from '../../core/trace.ts';
import { flattenState, isPlaceholder } from './field.ts';
import { isEphemeral } from './field-names.ts';

/** Minimum share of keys that consecutive snapshots have in common. */
const MIN_SHARED_KEYS = 0.5;

export interface TrackedSnapshot {
  snapshot: StateSnapshot;
  fields: Map<string, Json>;
  keys: string[];
}

/** Comparable snapshots: of one thread and one shape, in order. */
export interface SnapshotSeries {
  entries: TrackedSnapshot[];
  /**
   * Neighbours to compare. A return to a whole earlier state (time travel, a restored checkpoint) is intended, so its pair
   * is omitted.
   */
  pairs: SnapshotPair[];
  /** Whether snapshots contain the whole state; only then does absence mean loss. The output of a single node is a delta. */
  isFull: boolean;
}

export interface SnapshotPair {
  from: TrackedSnapshot;
  to: TrackedSnapshot;
  /** Position of `to` among the entries. */
  index: number;
}

export function buildSeries(states: readonly StateSnapshot[]): SnapshotSeries[] {
  const lineages = new Map<string, TrackedSnapshot[][]>();
  for (const snapshot of [...states].sort((a, b) => a.sequence - b.sequence)) {
    const tracked = track(snapshot);
    if (tracked === null) continue;
    const thread = snapshot.threadId ?? '';
    const open = lineages.get(thread) ?? [];
    const lineage = closestLineage(open, tracked);
    if (lineage === null) open.push([tracked]);
    else lineage.push(tracked);
    lineages.set(thread, open);
  }
  return [...lineages.values()]
    .flat()
    .filter((entries) => entries.length > 1)
    .map(toSeries);
}

function track(snapshot: StateSnapshot): TrackedSnapshot | null {
  if (!isJsonObject(snapshot.state)) return null;
  const state: JsonObject = snapshot.state;
  const keys = Object.keys(state);
  return keys.length === 0 ? null : { snapshot, fields: flattenState(state), keys };
}

/** The series with the most similar shape: a graph and its subgraphs share a thread but not a shape. */
function closestLineage(open: TrackedSnapshot[][], tracked: TrackedSnapshot): TrackedSnapshot[] | null {
  let best: TrackedSnapshot[] | null = null;
  let bestOverlap = MIN_SHARED_KEYS;
  for (const lineage of open) {
    const overlap = keyOverlap(lineage.at(-1)!.keys, tracked.keys);
    if (overlap >= bestOverlap) {
      best = lineage;
      bestOverlap = overlap;
    }
  }
  return best;
}

function keyOverlap(a: string[], b: string[]): number {
  const known = new Set(a);
  const shared = b.filter((key) => known.has(key)).length;
  return shared / (a.length + b.length - shared);
}

function toSeries(entries: TrackedSnapshot[]): SnapshotSeries {
  const pairs = entries.slice(1).map((to, offset) => ({ from: entries[offset]!, to, index: offset + 1 }));
  return { entries, pairs: pairs.filter((pair) => !isRewind(pair, entries)), isFull: containWholeState(pairs) };
}

function isRewind(pair: SnapshotPair, entries: TrackedSnapshot[]): boolean {
  const hash = pair.to.snapshot.stateHash;
  const isKnown = entries.slice(0, pair.index - 1).some((entry) => entry.snapshot.stateHash === hash);
  return isKnown && changedKeys(pair).length >= 2;
}

function changedKeys({ from, to }: SnapshotPair): string[] {
  return to.keys.filter((key) => !isSame(from.fields.get(key), to.fields.get(key)));
}

/**
 * Whether snapshots contain the whole state. A delta contains what its node wrote; only a whole state repeats unchanged
 * values. So most neighbours must repeat something, and losing a key must be the exception.
 */
function containWholeState(pairs: SnapshotPair[]): boolean {
  const needed = pairs.length === 1 ? 2 : 1;
  const repeating = pairs.filter((pair) => repeatedKeys(pair) >= needed).length;
  const losing = pairs.filter((pair) => lostKeys(pair).length > 0).length;
  return repeating >= pairs.length * 0.6 && losing <= Math.max(1, pairs.length * 0.2);
}

function repeatedKeys({ from, to }: SnapshotPair): number {
  return to.keys.filter((key) => {
    const value = to.fields.get(key);
    return !isPlaceholder(value) && isSame(from.fields.get(key), value);
  }).length;
}

function lostKeys({ from, to }: SnapshotPair): string[] {
  return from.keys.filter((key) => !to.fields.has(key) && !isEphemeral(key));
}

export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || typeof a !== 'object' || typeof b !== 'object') return false;
  return canonicalJson(a) === canonicalJson(b);
}
