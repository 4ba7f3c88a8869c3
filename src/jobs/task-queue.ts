import type { FairShare } from '../features/_kit/fair-share.ts';

/** For whom a task runs. Tasks without an owner share their time, and may use every worker. */
export interface TaskPlace {
  /** A tenant's number. */
  owner?: number;
  /** It waits behind live tasks. */
  isHistory?: boolean;
}

export interface RunningTask extends TaskPlace {
  /** On the queue's clock. */
  startedAt: number;
}

interface Waiting<Item> extends TaskPlace {
  item: Item;
}

/** History gets at least one turn in this many while live tasks wait. */
const HISTORY_TURN = 8;
export const NO_OWNER = -1;

/**
 * Tasks that wait for a worker. Live tasks go before history; of each, the owner whose tasks took the least time
 * recently goes first. One owner, and history as a whole, leave one worker to the others.
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

  add(item: Item, place: TaskPlace, isFirst: boolean): void {
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

  /** @returns the task that runs next on one of `size` workers; null where none may */
  take(running: readonly RunningTask[], size: number, now: number): (TaskPlace & { item: Item }) | null {
    const most = Math.max(1, size - 1);
    const owners = Map.groupBy(running, ownerOf);
    const mayRun = (waiting: Waiting<Item>) =>
      waiting.owner === undefined || (owners.get(ownerOf(waiting))?.length ?? 0) < most;
    const history = running.filter(({ isHistory }) => isHistory).length;
    const free = this.#waiting.filter((waiting) => mayRun(waiting) && !(waiting.isHistory && history >= most));
    const lane = this.#lane(free);
    if (lane.length === 0) return null;
    const used = (owner: number) =>
      this.#share.usedMs(owner, now) + (owners.get(owner) ?? []).reduce((ms, task) => ms + (now - task.startedAt), 0);
    // The first of each owner; equals keep the order in which they came.
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

function ownerOf({ owner }: TaskPlace): number {
  return owner ?? NO_OWNER;
}
