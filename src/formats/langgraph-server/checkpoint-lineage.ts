import type { JsonObject } from '../../core/json.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Limit for checkpoints of other runs that are stored with a run. */
const MAX_OTHERS = 100;

/** All checkpoints of one graph of a thread, indexed for queries about each of its runs. */
export interface Lineage {
  byId: ReadonlyMap<string, Checkpoint>;
  children: ReadonlyMap<string, Checkpoint[]>;
}

export function lineageOf(checkpoints: readonly Checkpoint[]): Lineage {
  const children = new Map<string, Checkpoint[]>();
  for (const checkpoint of checkpoints) {
    if (checkpoint.parentId === null) continue;
    const siblings = children.get(checkpoint.parentId);
    if (siblings === undefined) children.set(checkpoint.parentId, [checkpoint]);
    else siblings.push(checkpoint);
  }
  return { byId: new Map(checkpoints.map((checkpoint) => [checkpoint.id, checkpoint])), children };
}

/**
 * A run's checkpoints, oldest first, as `[{id, parent_id?, step?, source?, at_ms, done?, failed?, is_own?}]`: its own, the
 * one it started from, and those of other runs that already followed a checkpoint before this run did.
 */
export function reportedCheckpoints(own: readonly Checkpoint[], { byId, children }: Lineage): JsonObject[] {
  const ownIds = new Set(own.map(({ id }) => id));
  const others = new Map<string, Checkpoint>();
  for (const checkpoint of own) {
    const parent = checkpoint.parentId === null ? undefined : byId.get(checkpoint.parentId);
    if (parent === undefined) continue;
    if (!ownIds.has(parent.id)) others.set(parent.id, parent);
    const siblings = (children.get(parent.id) ?? []).slice(-MAX_OTHERS);
    const earlier = siblings.filter(({ id, atNs }) => !ownIds.has(id) && atNs < checkpoint.atNs);
    for (const sibling of earlier) addBranch(sibling, children, ownIds, others);
  }
  const all = [...own, ...others.values()].sort((a, b) => (a.atNs < b.atNs ? -1 : a.atNs > b.atNs ? 1 : 0));
  return all.map((checkpoint) => toJson(checkpoint, ownIds.has(checkpoint.id)));
}

/** Adds a checkpoint and its successors, each once, so that cyclic parents end. */
function addBranch(
  from: Checkpoint,
  children: Lineage['children'],
  ownIds: ReadonlySet<string>,
  found: Map<string, Checkpoint>,
): void {
  const queue = [from];
  for (let next = queue.pop(); next !== undefined && found.size < MAX_OTHERS; next = queue.pop()) {
    if (ownIds.has(next.id) || (found.has(next.id) && next !== from)) continue;
    found.set(next.id, next);
    queue.push(...(children.get(next.id) ?? []).filter(({ id }) => !found.has(id)));
  }
}

function toJson({ id, parentId, step, source, atNs, tasks }: Checkpoint, isOwn: boolean): JsonObject {
  const real = tasks.filter(({ name }) => name !== '__start__');
  const done = real.filter(({ error, result }) => error === null && result !== undefined).map(({ name }) => name);
  const failed = real.filter(({ error }) => error !== null).map(({ name }) => name);
  return {
    id,
    ...(parentId === null ? {} : { parent_id: parentId }),
    ...(step === null ? {} : { step }),
    ...(source === null ? {} : { source }),
    at_ms: Number(atNs / 1_000_000n),
    ...(done.length === 0 ? {} : { done }),
    ...(failed.length === 0 ? {} : { failed }),
    ...(isOwn ? {} : { is_own: false }),
  };
}
