import type { Kysely } from 'kysely';
import type { AlertContent, AlertItem } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/id.ts';
import { createOrderedIds } from '../../core/ordered-ids.ts';
import {
  dueAlerts,
  insertAlert,
  insertMessage,
  readFold,
  takeClosedFolds,
  tenantsWithDueAlerts,
  updateAlerts,
  writeFold,
} from '../../store/alert.store.ts';
import { insertDeliveries } from '../../store/alert-delivery.store.ts';
import type { Db } from '../../store/connection.ts';
import { readDetection, withdrawnOrFalseAmong } from '../../store/detection.store.ts';
import { readIssue } from '../../store/issue.store.ts';
import { type OutboxEntry, takeFromOutbox } from '../../store/outbox.store.ts';
import type { AlertFoldTable, AlertTable, Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { isMarkedFalse } from '../detections/counted.ts';
import { contentOf, digestOf, foldKeyOf, itemOf, toItem } from './alert-content.ts';
import { type AlertTarget, targetsOf } from './alert-targets.ts';
import { type ChannelStates, readChannelStates } from './channel-state.ts';
import { type AlertDecision, decideAlert, FOLD_MS, type IssueMarks } from './decide-alert.ts';
import type { PreferenceStore } from './preference-store.ts';
import type { Preferences, QuietHours } from './preferences.ts';

/** Turns detections into messages; every step is one transaction, so a crash neither loses nor doubles one. */
export interface AlertRouter {
  /** Decides about detections that nobody decided about. @returns how many were taken */
  routeDetections(now: number, limit: number): Promise<number>;
  /** Tells repeats whose time is over. @returns how many issues */
  closeFolds(now: number, limit: number): Promise<number>;
  /** Lets go of what quiet hours held back. @returns how many alerts were looked at */
  releaseHeld(now: number): Promise<number>;
}

/** What a step knows of a tenant, read once. */
interface TenantView {
  tenantNo: number;
  preferences: Preferences;
  states: ChannelStates;
  targets: AlertTarget[];
  quietUntil: number | null;
  issues: Map<string, IssueMarks | null>;
}

export function createAlertRouter(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  preferences: PreferenceStore;
  canMail: boolean;
}): AlertRouter {
  const { db, canMail } = options;
  const nextId = createOrderedIds(options.clock, options.random);

  async function viewOf(transaction: Db, tenantNo: number, now: number): Promise<TenantView> {
    const preferences = await options.preferences.read(transaction, tenantNo);
    return {
      tenantNo,
      preferences,
      states: await readChannelStates(transaction, tenantNo),
      targets: targetsOf(preferences, canMail),
      quietUntil: await endOfQuiet(preferences.quiet_hours, now),
      issues: new Map(),
    };
  }

  async function marksOf(transaction: Db, view: TenantView, issueId: string | null): Promise<IssueMarks | null> {
    if (issueId === null) return null;
    const known = view.issues.get(issueId);
    if (known !== undefined) return known;
    const row = await readIssue(transaction, view.tenantNo, issueId);
    const marks = row && { status: row.status, mutedAt: row.muted_at, snoozedUntil: row.snoozed_until };
    view.issues.set(issueId, marks);
    return marks;
  }

  async function decide(
    transaction: Db,
    view: TenantView,
    item: AlertItem,
    said: { fold: AlertFoldTable | null; isWithdrawn: boolean; now: number },
  ): Promise<AlertDecision> {
    const { fold, isWithdrawn, now } = said;
    return decideAlert({
      type: item.type,
      severity: item.severity,
      isHistory: false,
      isWithdrawn,
      issue: await marksOf(transaction, view, item.issueId),
      fold: fold && { severity: fold.severity as AlertItem['severity'], closesAt: fold.closes_at },
      hasChannel: view.targets.length > 0,
      preferences: view.preferences,
      quietUntil: view.quietUntil,
      now,
    });
  }

  async function route(transaction: Db, view: TenantView, entry: OutboxEntry, now: number): Promise<void> {
    const event = JSON.parse(entry.payload) as { detection_id: string; alert?: boolean };
    if (event.alert === false || view.targets.length === 0) return;
    const detection = await readDetection(transaction, view.tenantNo, event.detection_id);
    if (!detection) return;
    const item = toItem(detection);
    const fold = await openFold(transaction, view, foldKeyOf(item), now);
    const isWithdrawn = detection.withdrawn_at !== null || isMarkedFalse(detection);
    const decision = await decide(transaction, view, item, { fold, isWithdrawn, now });
    if (decision.action === 'drop') return;
    await writeFold(transaction, foldAfter(view.tenantNo, item, fold, decision, now));
    if (decision.action !== 'fold') await settle(transaction, view, newAlert(view, item, now), decision, now);
  }

  /** One whose time is over is told first, so that its count is not lost. */
  async function openFold(
    transaction: Db,
    view: TenantView,
    foldKey: string,
    now: number,
  ): Promise<AlertFoldTable | null> {
    const fold = await readFold(transaction, view.tenantNo, foldKey);
    if (fold === null || now < fold.closes_at) return fold;
    await followUp(transaction, view, fold, now);
    return null;
  }

  async function followUp(transaction: Db, view: TenantView, fold: AlertFoldTable, now: number): Promise<void> {
    if (fold.repeats === 0) return;
    const item = itemOf(fold);
    const decision = await decide(transaction, view, item, { fold: null, isWithdrawn: false, now });
    if (decision.action === 'drop') return;
    const alert: AlertTable = {
      ...newAlert(view, item, now),
      kind: 'follow_up',
      repeats: fold.repeats,
      folded_from: fold.opened_at,
    };
    await settle(transaction, view, alert, decision, now);
  }

  function newAlert({ tenantNo }: TenantView, item: AlertItem, now: number): AlertTable {
    return {
      tenant_no: tenantNo,
      alert_id: nextId('alr'),
      kind: 'detection',
      state: 'sent',
      reason: null,
      detection_id: item.detectionId,
      issue_id: item.issueId,
      severity: item.severity,
      item: JSON.stringify(item),
      repeats: 0,
      folded_from: null,
      release_at: null,
      message_id: null,
      created_at: now,
    };
  }

  async function settle(
    transaction: Db,
    view: TenantView,
    alert: AlertTable,
    decision: AlertDecision,
    now: number,
  ): Promise<void> {
    if (decision.action === 'hold') {
      const held = { state: 'held', reason: 'quiet_hours', release_at: decision.until };
      await insertAlert(transaction, { ...alert, ...held });
      return;
    }
    const messageId = await post(transaction, view, contentOf(alert), now);
    await insertAlert(transaction, { ...alert, message_id: messageId });
  }

  /** Notes a message for every receiver. @returns its id */
  async function post(transaction: Db, view: TenantView, content: AlertContent, now: number): Promise<string> {
    const messageId = nextId('msg');
    const identity = { tenant_no: view.tenantNo, message_id: messageId, created_at: now };
    await insertMessage(transaction, { ...identity, content: JSON.stringify(content) });
    await insertDeliveries(
      transaction,
      view.targets.map(({ channel, target }) => ({
        ...identity,
        channel,
        target,
        state: 'pending',
        attempts: 0,
        next_at: Math.max(now, view.states[channel]?.pausedUntil ?? 0),
        leased_until: 0,
        lease_owner: null,
        last_error: null,
        delivered_at: null,
      })),
    );
    return messageId;
  }

  async function release(transaction: Db, tenantNo: number, now: number): Promise<number> {
    const view = await viewOf(transaction, tenantNo, now);
    const due = await dueAlerts(transaction, tenantNo, now);
    const withdrawn = await withdrawnOrFalseAmong(
      transaction,
      tenantNo,
      due.map((alert) => alert.detection_id),
    );
    const free: AlertTable[] = [];
    for (const alert of due) {
      const isWithdrawn = alert.kind === 'detection' && withdrawn.has(alert.detection_id);
      const decision = await decide(transaction, view, itemOf(alert), { fold: null, isWithdrawn, now });
      if (decision.action === 'drop') {
        const dropped = { state: 'dropped', reason: decision.reason, release_at: null };
        await updateAlerts(transaction, tenantNo, [alert.alert_id], dropped);
      } else if (decision.action === 'hold') {
        await updateAlerts(transaction, tenantNo, [alert.alert_id], { release_at: decision.until });
      } else free.push(alert);
    }
    await sendFree(transaction, view, free, now);
    return due.length;
  }

  async function sendFree(
    transaction: Db,
    view: TenantView,
    alerts: readonly AlertTable[],
    now: number,
  ): Promise<void> {
    const { digest } = view.preferences;
    const isDigest = digest.enabled && alerts.length > digest.more_than;
    for (const batch of isDigest ? [alerts] : alerts.map((alert) => [alert])) {
      const content = isDigest ? digestOf(batch, now) : contentOf(batch[0] as AlertTable);
      const sent = { state: 'sent', release_at: null, message_id: await post(transaction, view, content, now) };
      const ids = batch.map((alert) => alert.alert_id);
      await updateAlerts(transaction, view.tenantNo, ids, sent);
    }
  }

  return {
    routeDetections: (now, limit) =>
      inTransaction(db, async (transaction) => {
        const entries = await takeFromOutbox(transaction, 'detection.created', now, limit);
        for (const [tenantNo, group] of Map.groupBy(entries, (entry) => entry.tenantNo)) {
          const view = await viewOf(transaction, tenantNo, now);
          for (const entry of group) await route(transaction, view, entry, now);
        }
        return entries.length;
      }),
    closeFolds: (now, limit) =>
      inTransaction(db, async (transaction) => {
        const folds = await takeClosedFolds(transaction, now, limit);
        for (const [tenantNo, group] of Map.groupBy(folds, (fold) => fold.tenant_no)) {
          const view = await viewOf(transaction, tenantNo, now);
          for (const fold of group) await followUp(transaction, view, fold, now);
        }
        return folds.length;
      }),
    async releaseHeld(now) {
      let count = 0;
      for (const tenantNo of await tenantsWithDueAlerts(db, now))
        count += await inTransaction(db, (transaction) => release(transaction, tenantNo, now));
      return count;
    },
  };
}

/** The calendar of the world's time zones is loaded where somebody has quiet hours. */
async function endOfQuiet(hours: QuietHours, now: number): Promise<number | null> {
  if (!hours.enabled) return null;
  const { quietUntil } = await import('./quiet-hours.ts');
  try {
    return quietUntil(hours, now);
  } catch {
    // A zone that this program's calendar does not have must not stop the alerts of everybody.
    return null;
  }
}

function foldAfter(
  tenantNo: number,
  item: AlertItem,
  fold: AlertFoldTable | null,
  decision: AlertDecision,
  now: number,
): AlertFoldTable {
  if (fold !== null) {
    const latest = { ...fold, item: JSON.stringify(item) };
    return decision.action === 'fold' ? { ...latest, repeats: fold.repeats + 1 } : { ...fold, severity: item.severity };
  }
  return {
    tenant_no: tenantNo,
    fold_key: foldKeyOf(item),
    severity: item.severity,
    repeats: 0,
    item: JSON.stringify(item),
    opened_at: now,
    closes_at: now + FOLD_MS,
  };
}
