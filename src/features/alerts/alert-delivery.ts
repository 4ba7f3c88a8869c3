import type { Kysely } from 'kysely';
import type { AlertChannel, AlertContent, SendOutcome } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/id.ts';
import { readMessages } from '../../store/alert.store.ts';
import {
  failDeliveries,
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
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import { alertFigures } from '../metrics/figure-growth.ts';
import type { SendAlert } from './alert-senders.ts';
import { changeChannelState } from './channel-state.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import type { PreferenceStore } from './preference-store.ts';
import type { Preferences } from './preferences.ts';
import { pauseAfter } from './retry-pause.ts';

/** Longer than one send takes; renewed before each. */
const LEASE_MS = 90_000;
/** How soon an alert that falls due is noticed while others are sent. */
const NOTICE_MS = 250;
/** After this a receiver that is slow lets the others go on. */
const TURN_MS = 20_000;

/**
 * Sends what is due. Each receiver of a message has a row of its own, so that the failure of one never repeats it to
 * another. Receivers are served side by side, the messages of one in order.
 */
export interface AlertDelivery {
  /** Sends up to `limit` due ones and waits for all of them. @returns how many */
  deliverDue(limit: number): Promise<number>;
  /** Starts to send what is due and does not wait for slow receivers. @returns how many */
  feed(limit: number): Promise<number>;
  /** Waits for a receiver that is being served, for a short time. @returns whether there is one */
  waitForOne(): Promise<boolean>;
  /** From now on a receiver is sent no further message. */
  close(): void;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  /** Notes how a channel did, and switches one off whose receiver is no more. */
  noteOutcome(tenantNo: number, channel: AlertChannel, outcome: SendOutcome, usedUrl: string | null): Promise<void>;
}

/** Called after the commit that notes a delivery. */
export type OnAlertDelivered = (
  tenantNo: number,
  sent: { messageId: string; channel: AlertChannel; content: AlertContent },
) => Promise<void>;

export function createAlertDelivery(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  preferences: PreferenceStore;
  send: SendAlert;
  leases: Pick<LeaseKeeper, 'owner'>;
  onDelivered?: OnAlertDelivered;
}): AlertDelivery {
  const { db, clock, random, send } = options;
  let isClosing = false;
  const queue = new DeliveryQueue({ lease, serve: serveReceiver });

  async function lease(limit: number, except: { receivers: Receiver[]; tenants: number[] }) {
    const owner = await options.leases.owner();
    return leaseDeliveries(db, { now: clock.now(), leaseMs: LEASE_MS, limit, owner, except });
  }

  async function serveReceiver(rows: readonly AlertDeliveryTable[]): Promise<void> {
    const first = rows[0] as AlertDeliveryTable;
    const messages = await readMessages(
      db,
      first.tenant_no,
      rows.map((row) => row.message_id),
    );
    const endsAt = performance.now() + TURN_MS;
    const waiting = [...rows];
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const goesOn = await deliver(row, messages.get(row.message_id));
      if (!goesOn || isClosing || performance.now() >= endsAt) break;
    }
    for (const row of waiting) await putBack(row);
  }

  /** @returns whether the receiver may be sent the next one */
  async function deliver(row: AlertDeliveryTable, message: AlertMessageTable | undefined): Promise<boolean> {
    // While others were served the lease may have run out, and another process have taken the row.
    if (!(await renewLease(db, row, clock.now() + LEASE_MS))) return true;
    if (message === undefined) return end(row, 'cancelled', 'The message is no longer kept.');
    const preferences = await options.preferences.read(db, row.tenant_no);
    const to = { channel: row.channel as AlertChannel, target: row.target };
    const content = JSON.parse(message.content) as AlertContent;
    const outcome = await send({ id: row.message_id, content, createdAt: message.created_at }, to, preferences);
    if (outcome === null) return end(row, 'cancelled', 'The receiver was taken out of the preferences.');
    await record(row, outcome, urlOf(preferences, to.channel));
    if (outcome.kind === 'delivered')
      await options.onDelivered?.(row.tenant_no, { messageId: row.message_id, channel: to.channel, content });
    return outcome.kind === 'delivered' || outcome.kind === 'failed';
  }

  async function end(row: AlertDeliveryTable, state: string, reason: string | null): Promise<true> {
    await updateDelivery(db, row, { state, last_error: reason, leased_until: 0 });
    return true;
  }

  async function record(row: AlertDeliveryTable, outcome: SendOutcome, usedUrl: string | null): Promise<void> {
    const now = clock.now();
    const channel = row.channel as AlertChannel;
    await inTransaction(db, async (transaction) => {
      if (outcome.kind === 'delivered') {
        const values = { state: 'delivered', delivered_at: now, last_error: null, leased_until: 0 };
        await updateDelivery(transaction, row, values);
      } else if (outcome.kind === 'retry') await retry(transaction, row, outcome, now);
      else await updateDelivery(transaction, row, { state: 'failed', last_error: outcome.reason, leased_until: 0 });
      await note(transaction, row.tenant_no, channel, outcome, usedUrl);
      await addFigures(transaction, alertFigures(row.tenant_no, channel, outcome));
    });
  }

  async function retry(
    transaction: Db,
    row: AlertDeliveryTable,
    outcome: Extract<SendOutcome, { kind: 'retry' }>,
    now: number,
  ): Promise<void> {
    // To be told to slow down is no failure of the message.
    const attempts = outcome.isPaced ? row.attempts - 1 : row.attempts;
    const tries = { attempts: Math.max(1, attempts), ageMs: now - row.created_at, askedMs: outcome.afterMs };
    const pause = pauseAfter(tries, (random(1)[0] ?? 0) / 255);
    if (pause === null) {
      const reason = `Given up. ${outcome.reason}`;
      await updateDelivery(transaction, row, { state: 'failed', last_error: reason, leased_until: 0 });
      return;
    }
    const next = { next_at: now + pause, attempts, last_error: outcome.reason, leased_until: 0 };
    await updateDelivery(transaction, row, next);
    await postponeDeliveries(transaction, row, now + pause);
  }

  async function putBack(row: AlertDeliveryTable): Promise<void> {
    if (await renewLease(db, row, 0)) await updateDelivery(db, row, { attempts: row.attempts - 1 });
  }

  async function note(
    transaction: Db,
    tenantNo: number,
    channel: AlertChannel,
    outcome: SendOutcome,
    usedUrl: string | null,
  ): Promise<void> {
    const now = clock.now();
    if (outcome.kind === 'delivered') {
      const well = { problem: null, problemAt: null, lastDeliveredAt: now, pausedUntil: null };
      await changeChannelState(transaction, tenantNo, channel, well, now);
      return;
    }
    const trouble = { problem: outcome.reason, problemAt: now };
    if (outcome.kind === 'gone') return switchOff(transaction, tenantNo, channel, outcome.reason, usedUrl);
    const pausedUntil = outcome.kind === 'retry' && outcome.afterMs !== null ? now + outcome.afterMs : null;
    await changeChannelState(transaction, tenantNo, channel, { ...trouble, pausedUntil }, now);
  }

  async function switchOff(
    transaction: Db,
    tenantNo: number,
    channel: AlertChannel,
    reason: string,
    usedUrl: string | null,
  ): Promise<void> {
    const now = clock.now();
    const preferences = await options.preferences.read(transaction, tenantNo);
    // A URL that was replaced while this one was tried deserves its own chance.
    if (urlOf(preferences, channel) !== usedUrl) return;
    const settings = preferences.channels[channel];
    const channels = { ...preferences.channels, [channel]: { ...settings, enabled: false } };
    await options.preferences.write(transaction, tenantNo, { ...preferences, channels }, now);
    const problem = `Switched off: ${reason}`;
    await changeChannelState(transaction, tenantNo, channel, { disabledAt: now, problem, problemAt: now }, now);
    await failDeliveries(transaction, tenantNo, channel, problem);
  }

  return {
    async deliverDue(limit) {
      const count = await queue.start(limit);
      await queue.idle();
      queue.throwFailure();
      return count;
    },
    feed: (limit) => (isClosing ? Promise.resolve(0) : queue.start(limit)),
    async waitForOne() {
      if (queue.inWorkCount === 0) return false;
      await queue.wait(NOTICE_MS);
      return true;
    },
    close() {
      isClosing = true;
    },
    idle: () => queue.idle(),
    noteOutcome: (tenantNo, channel, outcome, usedUrl) =>
      inTransaction(db, (transaction) => note(transaction, tenantNo, channel, outcome, usedUrl)),
  };
}

/** Where a channel's messages go; null for mail. */
export function urlOf({ channels }: Preferences, channel: AlertChannel): string | null {
  return channel === 'email' ? null : channels[channel].webhook_url;
}
