import type { AlertContent, AlertItem } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/id.ts';
import { createOrderedIds } from '../../core/ordered-ids.ts';
import { insertAlert, insertMessage } from '../../store/alert.store.ts';
import { insertDeliveries } from '../../store/alert-delivery.store.ts';
import type { Db } from '../../store/connection.ts';
import type { AlertTable } from '../../store/schema.ts';
import { contentOf } from './alert-content.ts';
import type { AlertTarget } from './alert-targets.ts';
import type { AlertDecision } from './decide-alert.ts';
import type { TenantAlerting } from './tenant-alerting.ts';

/** Stores alerts and their messages. The ids of one process ascend in the order of writing. */
export class AlertWriter {
  readonly #nextId: (prefix: string) => string;

  constructor(clock: Clock, random: Random) {
    this.#nextId = createOrderedIds(clock, random);
  }

  newAlert(tenantNo: number, item: AlertItem, now: number): AlertTable {
    return {
      tenant_no: tenantNo,
      alert_id: this.#nextId('alr'),
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

  /** Stores a new alert: with its message if it is sent, without one if it is held. */
  async write(
    db: Db,
    tenant: TenantAlerting,
    alert: AlertTable,
    { decision, now, targets }: { decision: AlertDecision; now: number; targets?: readonly AlertTarget[] },
  ): Promise<void> {
    if (decision.action === 'hold') {
      const held = { state: 'held', reason: 'quiet_hours', release_at: decision.until };
      await insertAlert(db, { ...alert, ...held });
      return;
    }
    const messageId = await this.post(db, tenant, contentOf(alert), now, targets);
    await insertAlert(db, { ...alert, message_id: messageId });
  }

  /** Stores a message with a delivery for each receiver. @returns its id */
  async post(
    db: Db,
    tenant: TenantAlerting,
    content: AlertContent,
    now: number,
    targets: readonly AlertTarget[] = tenant.targets,
  ): Promise<string> {
    const messageId = this.#nextId('msg');
    const identity = { tenant_no: tenant.tenantNo, message_id: messageId, created_at: now };
    await insertMessage(db, { ...identity, content: JSON.stringify(content) });
    await insertDeliveries(
      db,
      targets.map(({ channel, target }) => ({
        ...identity,
        channel,
        target,
        state: 'pending',
        attempts: 0,
        next_at: Math.max(now, tenant.channelStates[channel]?.pausedUntil ?? 0),
        leased_until: 0,
        lease_owner: null,
        last_error: null,
        delivered_at: null,
      })),
    );
    return messageId;
  }
}
