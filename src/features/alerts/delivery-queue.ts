import type { Receiver } from '../../store/alert-delivery.store.ts';
import type { AlertDeliveryTable } from '../../store/schema.ts';

export interface DeliveryQueueOptions {
  /** Leases due deliveries, except for receivers and tenants that are busy. */
  lease(limit: number, busy: { receivers: Receiver[]; tenants: number[] }): Promise<AlertDeliveryTable[]>;
  /** Sends the messages of one receiver in order. */
  serve(rows: readonly AlertDeliveryTable[]): Promise<void>;
}

/** Maximum receivers of one tenant that are served at the same time. */
const MAX_OF_TENANT = 8;
const MAX_RUNNING = 64;

/** Serves receivers concurrently, so that a slow one delays only its own messages. */
export class DeliveryQueue {
  readonly #options: DeliveryQueueOptions;
  readonly #running = new Map<string, { receiver: Receiver; done: Promise<void> }>();
  #failure: { error: unknown } | null = null;
  #finished = Promise.withResolvers<void>();

  constructor(options: DeliveryQueueOptions) {
    this.#options = options;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Starts due deliveries without waiting for them. @returns how many; @throws the error of an earlier one */
  async start(limit: number): Promise<number> {
    this.throwFailure();
    if (this.#running.size >= MAX_RUNNING) return 0;
    const rows = await this.#options.lease(limit, this.#busy());
    for (const [key, group] of Map.groupBy(rows, keyOf)) this.#serve(key, group);
    return rows.length;
  }

  /** @throws the error of a receiver, once */
  throwFailure(): void {
    const failure = this.#failure;
    this.#failure = null;
    if (failure !== null) throw failure.error;
  }

  /** Waits until a receiver has been served, or for this many milliseconds. */
  async wait(ms: number): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, ms);
    await Promise.race([this.#finished.promise, timeout.promise]);
    clearTimeout(timer);
  }

  /** Resolves when no receiver is being served. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  #serve(key: string, rows: readonly AlertDeliveryTable[]): void {
    const done = this.#options
      .serve(rows)
      .catch((error) => {
        this.#failure = { error };
      })
      .finally(() => {
        this.#running.delete(key);
        this.#finished.resolve();
        this.#finished = Promise.withResolvers<void>();
      });
    this.#running.set(key, { receiver: rows[0] as AlertDeliveryTable, done });
  }

  #busy(): { receivers: Receiver[]; tenants: number[] } {
    const receivers = [...this.#running.values()].map(({ receiver }) => receiver);
    const byTenant = Map.groupBy(receivers, ({ tenant_no }) => tenant_no);
    const tenants = [...byTenant].filter(([, group]) => group.length >= MAX_OF_TENANT).map(([tenantNo]) => tenantNo);
    return { receivers, tenants };
  }
}

function keyOf({ tenant_no, channel, target }: Receiver): string {
  return JSON.stringify([tenant_no, channel, target]);
}
