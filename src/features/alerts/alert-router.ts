import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/id.ts';
import type { WebAddress } from '../../core/web-address.ts';
import {
  dequeueClosedFolds,
  dueAlerts,
  latestAlertOf,
  readFold,
  tenantsWithDueAlerts,
  updateAlerts,
  writeFold,
} from '../../store/alert.store.ts';
import { deliveriesOfMessages } from '../../store/alert-delivery.store.ts';
import type { Db } from '../../store/connection.ts';
import { readDetection, withdrawnOrFalseAmong } from '../../store/detection.store.ts';
import { dequeueOutbox, type OutboxEntry } from '../../store/outbox.store.ts';
import type { AlertFoldTable, AlertTable, Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { isMarkedFalse } from '../detections/counted.ts';
import { contentOf, digestOf, foldKeyOf, itemOf, toItem } from './alert-content.ts';
import { foldAfter } from './alert-fold.ts';
import type { AlertTarget } from './alert-targets.ts';
import { AlertWriter } from './alert-writer.ts';
import type { PreferenceStore } from './preference-store.ts';
import { TenantAlerting } from './tenant-alerting.ts';

/** Turns detections into messages. Each step is one transaction, so a crash neither loses nor duplicates a message. */
export class AlertRouter {
  readonly #db: Kysely<Database>;
  readonly #options: { preferences: PreferenceStore; canMail: boolean; webAddress: WebAddress };
  readonly #writer: AlertWriter;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    random: Random;
    preferences: PreferenceStore;
    canMail: boolean;
    webAddress: WebAddress;
  }) {
    this.#db = options.db;
    this.#options = options;
    this.#writer = new AlertWriter(options.clock, options.random);
  }

  /** Decides about new detections from the outbox. @returns how many were processed */
  routeDetections(now: number, limit: number): Promise<number> {
    return this.#routeEvents('detection.created', now, limit, (...entry) => this.#route(...entry));
  }

  /** Sends one message about each alert whose detection a later analysis withdrew. @returns how many events were processed */
  routeWithdrawals(now: number, limit: number): Promise<number> {
    return this.#routeEvents('detection.withdrawn', now, limit, (...entry) => this.#withdraw(...entry));
  }

  #routeEvents(
    kind: 'detection.created' | 'detection.withdrawn',
    now: number,
    limit: number,
    route: (transaction: Db, tenant: TenantAlerting, entry: OutboxEntry, now: number) => Promise<void>,
  ): Promise<number> {
    return inTransaction(this.#db, async (transaction) => {
      const entries = await dequeueOutbox(transaction, kind, now, limit);
      for (const [tenantNo, group] of Map.groupBy(entries, (entry) => entry.tenantNo)) {
        const tenant = await this.#read(transaction, tenantNo, now);
        for (const entry of group) await route(transaction, tenant, entry, now);
      }
      return entries.length;
    });
  }

  /** Sends a follow-up for each fold whose window has ended. @returns how many folds */
  closeFolds(now: number, limit: number): Promise<number> {
    return inTransaction(this.#db, async (transaction) => {
      const folds = await dequeueClosedFolds(transaction, now, limit);
      for (const [tenantNo, group] of Map.groupBy(folds, (fold) => fold.tenant_no)) {
        const tenant = await this.#read(transaction, tenantNo, now);
        for (const fold of group) await this.#followUp(transaction, tenant, fold, now);
      }
      return folds.length;
    });
  }

  /** Decides again about alerts that quiet hours held back. @returns how many */
  async releaseHeld(now: number): Promise<number> {
    let count = 0;
    for (const tenantNo of await tenantsWithDueAlerts(this.#db, now))
      count += await inTransaction(this.#db, (transaction) => this.#release(transaction, tenantNo, now));
    return count;
  }

  #read(transaction: Db, tenantNo: number, now: number): Promise<TenantAlerting> {
    return TenantAlerting.read(transaction, tenantNo, this.#options, now);
  }

  async #route(transaction: Db, tenant: TenantAlerting, entry: OutboxEntry, now: number): Promise<void> {
    const event = JSON.parse(entry.payload) as { detection_id: string; alert?: boolean };
    if (event.alert === false || tenant.targets.length === 0) return;
    const { tenantNo } = tenant;
    const detection = await readDetection(transaction, tenantNo, event.detection_id);
    if (!detection) return;
    const item = toItem(detection, this.#options.webAddress);
    const fold = await this.#openFold(transaction, tenant, foldKeyOf(item), now);
    const isWithdrawn = detection.withdrawn_at !== null || isMarkedFalse(detection);
    const decision = await tenant.decide(transaction, item, { fold, isWithdrawn });
    if (decision.action === 'drop') return;
    await writeFold(transaction, foldAfter(tenantNo, item, fold, decision, now));
    if (decision.action === 'fold') return;
    await this.#writer.write(transaction, tenant, this.#writer.newAlert(tenantNo, item, now), { decision, now });
  }

  async #withdraw(transaction: Db, tenant: TenantAlerting, entry: OutboxEntry, now: number): Promise<void> {
    const { tenantNo } = tenant;
    const event = JSON.parse(entry.payload) as { detection_id: string };
    const detection = await readDetection(transaction, tenantNo, event.detection_id);
    // It may have been found again, or a user knows that it was false.
    if (!detection || detection.withdrawn_at === null || isMarkedFalse(detection)) return;
    const latest = await latestAlertOf(transaction, tenantNo, detection);
    if (latest?.kind !== 'detection' || latest.state !== 'sent') return;
    const item = itemOf(latest);
    const targets = await this.#receiversOf(transaction, tenant, latest);
    const decision = await tenant.decide(transaction, item, { fold: null, isWithdrawn: false });
    if (decision.action === 'drop' || targets.length === 0) return;
    const alert: AlertTable = { ...this.#writer.newAlert(tenantNo, item, now), kind: 'withdrawal' };
    await this.#writer.write(transaction, tenant, alert, { decision, now, targets });
  }

  /** The receivers of the alert about a detection that are still enabled. */
  async #receiversOf(transaction: Db, tenant: TenantAlerting, alert: AlertTable): Promise<AlertTarget[]> {
    const { message_id: messageId } = alert;
    if (messageId === null) return [];
    const byMessage = await deliveriesOfMessages(transaction, tenant.tenantNo, [messageId]);
    const reached = (byMessage.get(messageId) ?? []).filter(({ state }) => state !== 'failed');
    return tenant.targets.filter(({ channel, target }) =>
      reached.some((delivery) => delivery.channel === channel && delivery.target === target),
    );
  }

  /** A fold whose window has ended is followed up before a new one replaces it, so that its count is not lost. */
  async #openFold(
    transaction: Db,
    tenant: TenantAlerting,
    foldKey: string,
    now: number,
  ): Promise<AlertFoldTable | null> {
    const fold = await readFold(transaction, tenant.tenantNo, foldKey);
    if (fold === null || now < fold.closes_at) return fold;
    await this.#followUp(transaction, tenant, fold, now);
    return null;
  }

  async #followUp(transaction: Db, tenant: TenantAlerting, fold: AlertFoldTable, now: number): Promise<void> {
    if (fold.repeats === 0) return;
    const item = itemOf(fold);
    const decision = await tenant.decide(transaction, item, { fold: null, isWithdrawn: false });
    if (decision.action === 'drop') return;
    const alert: AlertTable = {
      ...this.#writer.newAlert(tenant.tenantNo, item, now),
      kind: 'follow_up',
      repeats: fold.repeats,
      folded_from: fold.opened_at,
    };
    await this.#writer.write(transaction, tenant, alert, { decision, now });
  }

  async #release(transaction: Db, tenantNo: number, now: number): Promise<number> {
    const tenant = await this.#read(transaction, tenantNo, now);
    const due = await dueAlerts(transaction, tenantNo, now);
    const detectionIds = due.map((alert) => alert.detection_id);
    const withdrawn = await withdrawnOrFalseAmong(transaction, tenantNo, detectionIds);
    const released: AlertTable[] = [];
    for (const alert of due) {
      const isWithdrawn = alert.kind === 'detection' && withdrawn.has(alert.detection_id);
      const decision = await tenant.decide(transaction, itemOf(alert), { fold: null, isWithdrawn });
      if (decision.action === 'drop') {
        const dropped = { state: 'dropped', reason: decision.reason, release_at: null };
        await updateAlerts(transaction, tenantNo, [alert.alert_id], dropped);
      } else if (decision.action === 'hold') {
        await updateAlerts(transaction, tenantNo, [alert.alert_id], { release_at: decision.until });
      } else if (alert.kind === 'withdrawal') await this.#sendWithdrawal(transaction, tenant, alert, now);
      else released.push(alert);
    }
    await this.#send(transaction, tenant, released, now);
    return due.length;
  }

  /** A withdrawal that quiet hours held back, if the detection was not found again in the meantime. */
  async #sendWithdrawal(transaction: Db, tenant: TenantAlerting, alert: AlertTable, now: number): Promise<void> {
    const detection = await readDetection(transaction, tenant.tenantNo, alert.detection_id);
    const sent = detection && (await latestAlertOf(transaction, tenant.tenantNo, detection, 'detection'));
    const targets = sent && detection.withdrawn_at !== null ? await this.#receiversOf(transaction, tenant, sent) : [];
    const messageId =
      targets.length === 0 ? null : await this.#writer.post(transaction, tenant, contentOf(alert), now, targets);
    const state = messageId === null ? { state: 'dropped', reason: 'withdrawn' } : { state: 'sent' };
    const values = { ...state, release_at: null, message_id: messageId };
    await updateAlerts(transaction, tenant.tenantNo, [alert.alert_id], values);
  }

  /** Each alert as one message, or all of them as a digest. */
  async #send(transaction: Db, tenant: TenantAlerting, alerts: readonly AlertTable[], now: number): Promise<void> {
    const { digest } = tenant.preferences;
    const isDigest = digest.enabled && alerts.length > digest.more_than;
    for (const batch of isDigest ? [alerts] : alerts.map((alert) => [alert])) {
      const content = isDigest ? digestOf(batch, now) : contentOf(batch[0] as AlertTable);
      const messageId = await this.#writer.post(transaction, tenant, content, now);
      const sent = { state: 'sent', release_at: null, message_id: messageId };
      const alertIds = batch.map((alert) => alert.alert_id);
      await updateAlerts(transaction, tenant.tenantNo, alertIds, sent);
    }
  }
}
