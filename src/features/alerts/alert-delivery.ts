import type { Kysely } from 'kysely';
import type { AlertChannel, AlertContent, SendOutcome } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/id.ts';
import { readMessages } from '../../store/alert.store.ts';
import {
  leaseDeliveries,
  postponeDeliveries,
  type Receiver,
  renewLease,
  updateDelivery,
} from '../../store/alert-delivery.store.ts';
import type { Db } from '../../store/connection.ts';
import { addFigures } from '../../store/figure.store.ts';
import type { AlertDeliveryTable, AlertMessageTable, Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { alertFigures } from '../metrics/figure-growth.ts';
import type { SendAlert } from './alert-senders.ts';
import { ChannelHealth, urlOf } from './channel-health.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import type { PreferenceStore } from './preference-store.ts';
import { retryDelayMs } from './retry-delay.ts';

/** Longer than one send takes; renewed before each. */
const LEASE_MS = 90_000;
/** Maximum delay before a due alert is noticed while others are sent. */
const NOTICE_MS = 250;
/** After this time a slow receiver yields to the others. */
const TURN_MS = 20_000;

/** Called after the commit that records a delivery. */
export type OnAlertDelivered = (
  tenantNo: number,
  sent: { messageId: string; channel: AlertChannel; content: AlertContent },
) => Promise<void>;

/**
 * Sends due messages. Each receiver of a message has a row of its own, so that the failure of one never repeats the message
 * to another. Receivers are served side by side, the messages of one in order.
 */
export class AlertDelivery {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #preferences: PreferenceStore;
  readonly #send: SendAlert;
  readonly #leases: Pick<LeaseManager, 'owner'>;
  readonly #onDelivered: OnAlertDelivered | undefined;
  readonly #health: ChannelHealth;
  readonly #queue: DeliveryQueue;
  #isClosing = false;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    random: Random;
    preferences: PreferenceStore;
    send: SendAlert;
    leases: Pick<LeaseManager, 'owner'>;
    onDelivered?: OnAlertDelivered;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#preferences = options.preferences;
    this.#send = options.send;
    this.#leases = options.leases;
    this.#onDelivered = options.onDelivered;
    this.#health = new ChannelHealth(options.clock, options.preferences);
    this.#queue = new DeliveryQueue({
      lease: (limit, except) => this.#lease(limit, except),
      serve: (rows) => this.#serveReceiver(rows),
    });
  }

  /** Sends all due messages and waits for every receiver. @returns how many messages were due */
  async deliverDue(limit: number): Promise<number> {
    const count = await this.#queue.start(limit);
    await this.#queue.idle();
    this.#queue.throwFailure();
    return count;
  }

  /** Starts to send due messages and does not wait for slow receivers. @returns how many */
  feed(limit: number): Promise<number> {
    return this.#isClosing ? Promise.resolve(0) : this.#queue.start(limit);
  }

  /** Waits a short time for a receiver that is being served. @returns whether there is one */
  async waitForOne(): Promise<boolean> {
    if (this.#queue.runningCount === 0) return false;
    await this.#queue.wait(NOTICE_MS);
    return true;
  }

  /** Sends no further messages. */
  close(): void {
    this.#isClosing = true;
  }

  /** Resolves when no message is being sent. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Records the outcome of a delivery, and switches off a channel whose receiver no longer exists. */
  recordOutcome(tenantNo: number, channel: AlertChannel, outcome: SendOutcome, usedUrl: string | null): Promise<void> {
    return inTransaction(this.#db, (transaction) =>
      this.#health.record(transaction, tenantNo, channel, outcome, usedUrl),
    );
  }

  async #lease(limit: number, except: { receivers: Receiver[]; tenants: number[] }) {
    const owner = await this.#leases.owner();
    return leaseDeliveries(this.#db, { now: this.#clock.now(), leaseMs: LEASE_MS, limit, owner, except });
  }

  async #serveReceiver(rows: readonly AlertDeliveryTable[]): Promise<void> {
    const first = rows[0] as AlertDeliveryTable;
    const messages = await readMessages(
      this.#db,
      first.tenant_no,
      rows.map((row) => row.message_id),
    );
    const endsAt = performance.now() + TURN_MS;
    const waiting = [...rows];
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const mayContinue = await this.#deliver(row, messages.get(row.message_id));
      if (!mayContinue || this.#isClosing || performance.now() >= endsAt) break;
    }
    for (const row of waiting) await this.#returnToQueue(row);
  }

  /** @returns whether the receiver may be sent the next one */
  async #deliver(row: AlertDeliveryTable, message: AlertMessageTable | undefined): Promise<boolean> {
    // While others were served, the lease may have expired and another process may have leased the row.
    if (!(await renewLease(this.#db, row, this.#clock.now() + LEASE_MS))) return true;
    if (message === undefined) return this.#end(row, 'cancelled', 'The message is no longer stored.');
    const preferences = await this.#preferences.read(this.#db, row.tenant_no);
    const to = { channel: row.channel as AlertChannel, target: row.target };
    const content = JSON.parse(message.content) as AlertContent;
    const outcome = await this.#send({ id: row.message_id, content, createdAt: message.created_at }, to, preferences);
    if (outcome === null) return this.#end(row, 'cancelled', 'The receiver was removed from the preferences.');
    await this.#record(row, outcome, urlOf(preferences, to.channel));
    if (outcome.kind === 'delivered')
      await this.#onDelivered?.(row.tenant_no, { messageId: row.message_id, channel: to.channel, content });
    return outcome.kind === 'delivered' || outcome.kind === 'failed';
  }

  async #end(row: AlertDeliveryTable, state: string, reason: string | null): Promise<true> {
    await updateDelivery(this.#db, row, { state, last_error: reason, leased_until: 0 });
    return true;
  }

  async #record(row: AlertDeliveryTable, outcome: SendOutcome, usedUrl: string | null): Promise<void> {
    const now = this.#clock.now();
    const channel = row.channel as AlertChannel;
    await inTransaction(this.#db, async (transaction) => {
      if (outcome.kind === 'delivered') {
        const values = { state: 'delivered', delivered_at: now, last_error: null, leased_until: 0 };
        await updateDelivery(transaction, row, values);
      } else if (outcome.kind === 'retry') await this.#retry(transaction, row, outcome, now);
      else await updateDelivery(transaction, row, { state: 'failed', last_error: outcome.reason, leased_until: 0 });
      await this.#health.record(transaction, row.tenant_no, channel, outcome, usedUrl);
      await addFigures(transaction, alertFigures(row.tenant_no, channel, outcome));
    });
  }

  async #retry(
    transaction: Db,
    row: AlertDeliveryTable,
    outcome: Extract<SendOutcome, { kind: 'retry' }>,
    now: number,
  ): Promise<void> {
    // A request to slow down is not a failure of the message.
    const attempts = outcome.isPaced ? row.attempts - 1 : row.attempts;
    const attemptState = {
      attempts: Math.max(1, attempts),
      ageMs: now - row.created_at,
      retryAfterMs: outcome.afterMs,
    };
    const pause = retryDelayMs(attemptState, (this.#random(1)[0] ?? 0) / 255);
    if (pause === null) {
      const reason = `Given up. ${outcome.reason}`;
      await updateDelivery(transaction, row, { state: 'failed', last_error: reason, leased_until: 0 });
      return;
    }
    const next = { next_at: now + pause, attempts, last_error: outcome.reason, leased_until: 0 };
    await updateDelivery(transaction, row, next);
    await postponeDeliveries(transaction, row, now + pause);
  }

  async #returnToQueue(row: AlertDeliveryTable): Promise<void> {
    if (await renewLease(this.#db, row, 0)) await updateDelivery(this.#db, row, { attempts: row.attempts - 1 });
  }
}
