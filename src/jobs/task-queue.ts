import type { FairShare } from '../features/_kit/fair-share.ts';

/** The tenant and priority of a task. Tasks without an owner share their time, and may use every worker. */
export interface TaskPriority {
  /** A tenant's number. */
  owner?: number;
  /** It waits behind live tasks. */
  isHistory?: boolean;
}

export interface RunningTask extends TaskPriority {
  /** On the queue's clock. */
  startedAt: number;
}

interface Waiting<Item> extends TaskPriority {
  item: Item;
}

/** Historical tasks get at least one turn in this many while live tasks wait. */
const HISTORY_TURN = 8;
export const NO_OWNER = -1;

/**
 * Tasks that wait for a worker. Live tasks precede historical ones; within each, the owner whose tasks took the least time
 * recently goes first. One owner, and all historical tasks together, leave one worker to the others.
 */
export class TaskQueue<Item> {
  readonly #share: FairShare<number>;
  #waiting: Waiting<Item>[] = [];
  #turns = 0;

  constructor(share: FairShare<number>) {
    this.#share = share;
  }

  get size(): number {
    return this.#waiting.length;
  }

  add(item: Item, place: TaskPriority, isFirst: boolean): void {
    if (isFirst) this.#waiting.unshift({ item, ...place });
    else this.#waiting.push({ item, ...place });
  }

  remove(item: Item): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.item !== item);
  }

  removeAll(): Item[] {
    const items = this.#waiting.map(({ item }) => item);
    this.#waiting = [];
    return items;
  }

  /** @returns the task to run next on one of `size` workers; null if none may run */
  take(running: readonly RunningTask[], size: number, now: number): (TaskPriority & { item: Item }) | null {
    const limit = Math.max(1, size - 1);
    const owners = Map.groupBy(running, ownerOf);
    const mayRun = (waiting: Waiting<Item>) =>
      waiting.owner === undefined || (owners.get(ownerOf(waiting))?.length ?? 0) < limit;
    const history = running.filter(({ isHistory }) => isHistory).length;
    const free = this.#waiting.filter((waiting) => mayRun(waiting) && !(waiting.isHistory && history >= limit));
    const lane = this.#lane(free);
    if (lane.length === 0) return null;
    const used = (owner: number) =>
      this.#share.usedMs(owner, now) + (owners.get(owner) ?? []).reduce((ms, task) => ms + (now - task.startedAt), 0);
    // The first task of each owner; equal owners keep their order of arrival.
    const firsts = [...Map.groupBy(lane, ownerOf).values()].map((waiting) => waiting[0] as Waiting<Item>);
    const next = firsts.reduce((least, other) => (used(ownerOf(other)) < used(ownerOf(least)) ? other : least));
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    return next;
  }

  #lane(waiting: readonly Waiting<Item>[]): readonly Waiting<Item>[] {
    const live = waiting.filter(({ isHistory }) => !isHistory);
    if (live.length === 0 || live.length === waiting.length) return waiting;
    this.#turns += 1;
    return this.#turns % HISTORY_TURN === 0 ? waiting.filter(({ isHistory }) => isHistory) : live;
  }
}

function ownerOf({ owner }: TaskPriority): number {
  return owner ?? NO_OWNER;
}
