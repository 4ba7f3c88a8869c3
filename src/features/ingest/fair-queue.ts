interface Entry<Item> {
  item: Item;
  weight: number;
  /** Milliseconds of the caller's clock. */
  at: number;
}

interface TenantQueue<Item> {
  tenantNo: number;
  entries: Entry<Item>[];
  /** Index of the first queued entry. */
  head: number;
  weight: number;
  /** Weight that may be taken before the next tenant's turn. */
  credit: number;
  /** Whether the credit of the current turn was added. */
  isTurnOpen: boolean;
}

const COMPACT_FROM = 1_024;

/** A queue that serves tenants in turn by weight (deficit round robin); FIFO within a tenant. */
export class FairQueue<Item> {
  /** Queued tenants; the first one is next. */
  #turns: TenantQueue<Item>[] = [];
  readonly #tenants = new Map<number, TenantQueue<Item>>();
  readonly #quantum: number;
  #weight = 0;

  /** @param quantum weight that a tenant may take in one turn */
  constructor(quantum: number) {
    this.#quantum = quantum;
  }

  get weight(): number {
    return this.#weight;
  }

  /** Number of queued tenants. */
  get tenantCount(): number {
    return this.#tenants.size;
  }

  weightOf(tenantNo: number): number {
    return this.#tenants.get(tenantNo)?.weight ?? 0;
  }

  push(tenantNo: number, item: Item, weight: number, at: number): void {
    let queue = this.#tenants.get(tenantNo);
    if (queue === undefined) {
      queue = { tenantNo, entries: [], head: 0, weight: 0, credit: 0, isTurnOpen: false };
      this.#tenants.set(tenantNo, queue);
      this.#turns.push(queue);
    }
    queue.entries.push({ item, weight, at });
    queue.weight += weight;
    this.#weight += weight;
  }

  /** The next item of a tenant that may be served now; null if the tenant has none. */
  take(mayServe: (tenantNo: number) => boolean = () => true): Item | null {
    if (!this.#turns.some(({ tenantNo }) => mayServe(tenantNo))) return null;
    for (;;) {
      const queue = this.#turns[0] as TenantQueue<Item>;
      const entry = queue.entries[queue.head] as Entry<Item>;
      if (mayServe(queue.tenantNo)) {
        if (!queue.isTurnOpen) queue.credit += this.#quantum;
        queue.isTurnOpen = queue.credit >= entry.weight;
        if (queue.isTurnOpen) return this.#serve(queue, entry);
      }
      this.#turns.push(this.#turns.shift() as TenantQueue<Item>);
    }
  }

  /**
   * Weight that is served before an item of `weight` that the tenant adds now: its own queue, and of each other tenant
   * at most the same amount.
   */
  weightAhead(tenantNo: number, weight: number): number {
    const own = this.weightOf(tenantNo);
    let ahead = own;
    for (const queue of this.#tenants.values())
      if (queue.tenantNo !== tenantNo) ahead += Math.min(queue.weight, own + weight);
    return ahead;
  }

  /** When the oldest queued item was added; null if the queue is empty. */
  oldestAt(): number | null {
    let oldest: number | null = null;
    for (const { entries, head } of this.#tenants.values()) {
      const { at } = entries[head] as Entry<Item>;
      if (oldest === null || at < oldest) oldest = at;
    }
    return oldest;
  }

  #serve(queue: TenantQueue<Item>, entry: Entry<Item>): Item {
    queue.credit -= entry.weight;
    queue.weight -= entry.weight;
    this.#weight -= entry.weight;
    queue.head += 1;
    if (queue.head === queue.entries.length) {
      this.#tenants.delete(queue.tenantNo);
      this.#turns.splice(this.#turns.indexOf(queue), 1);
    } else if (queue.head >= COMPACT_FROM && queue.head * 2 > queue.entries.length) {
      queue.entries = queue.entries.slice(queue.head);
      queue.head = 0;
    }
    return entry.item;
  }
}
