import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';
import { nextFoldEnd, nextRelease, pruneAlerts } from '../../store/alert.store.ts';
import { nextDelivery } from '../../store/alert-delivery.store.ts';
import { nextInOutbox, pruneOutbox } from '../../store/outbox.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { AlertDelivery } from './alert-delivery.ts';
import type { AlertRouter } from './alert-router.ts';

const CREATED = 'detection.created';
const WITHDRAWN = 'detection.withdrawn';
const PRUNE_EVERY_MS = 3_600_000;
const KEEP_ALERTS_MS = 90 * 86_400_000;
const KEEP_EVENTS_MS = 7 * 86_400_000;

interface AlertWorkParts {
  db: Kysely<Database>;
  clock: Clock;
  router: AlertRouter;
  delivery: AlertDelivery;
}

/** Decides and sends what is due: held alerts, repeats, new and withdrawn detections, and retries. */
export class AlertWork {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #router: AlertRouter;
  readonly #delivery: AlertDelivery;
  #prunedAt = 0;

  constructor({ db, clock, router, delivery }: AlertWorkParts) {
    this.#db = db;
    this.#clock = clock;
    this.#router = router;
    this.#delivery = delivery;
  }

  runDue(limit: number): Promise<number> {
    return this.#run(limit, (count) => this.#delivery.deliverDue(count));
  }

  async feed(limit: number): Promise<number> {
    const done = await this.#run(limit, (count) => this.#delivery.feed(count));
    return done > 0 ? done : Number(await this.#delivery.waitForOne());
  }

  async nextDueAt(): Promise<number | null> {
    const db = this.#db;
    const now = this.#clock.now();
    const events = [CREATED, WITHDRAWN].map((kind) => nextInOutbox(db, kind));
    const waiting = [...events, nextDelivery(db, now), nextRelease(db), nextFoldEnd(db)];
    const times = (await Promise.all(waiting)).filter((time) => time !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  async #run(limit: number, deliver: (limit: number) => Promise<number>): Promise<number> {
    const db = this.#db;
    const now = this.#clock.now();
    await this.#prune(now);
    const isDue = (time: number | null) => time !== null && time <= now;
    // Held alerts precede the repeats that were counted after them.
    const released = await this.#router.releaseHeld(now);
    // Checked first, since dequeuing locks the database for writing.
    const folded = isDue(await nextFoldEnd(db)) ? await this.#router.closeFolds(now, limit) : 0;
    const routed = isDue(await nextInOutbox(db, CREATED)) ? await this.#router.routeDetections(now, limit) : 0;
    const withdrawn = isDue(await nextInOutbox(db, WITHDRAWN)) ? await this.#router.routeWithdrawals(now, limit) : 0;
    const sent = isDue(await nextDelivery(db, now)) ? await deliver(limit) : 0;
    return folded + routed + withdrawn + released + sent;
  }

  async #prune(now: number): Promise<void> {
    if (isWithin(this.#prunedAt, now, PRUNE_EVERY_MS)) return;
    this.#prunedAt = now;
    await inTransaction(this.#db, async (transaction) => {
      await pruneAlerts(transaction, now - KEEP_ALERTS_MS);
      await pruneOutbox(transaction, now - KEEP_EVENTS_MS);
    });
  }
}
