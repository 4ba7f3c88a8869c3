import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { AlertDeliveryTable, AlertTable } from '../../store/schema.ts';
import { alertChannel, detectionType, severity } from '../_kit/vocabulary.ts';
import { itemOf } from './alert-content.ts';

export const ALERT_STATES = ['held', 'sent', 'dropped'] as const;

const delivery = z
  .object({
    channel: alertChannel,
    target: z.string().nullable().describe('Address of a mail'),
    state: z.enum(['pending', 'delivered', 'failed', 'cancelled']),
    attempts: z.number().int(),
    next_attempt_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
    problem: z.string().nullable(),
  })
  .meta({ id: 'AlertDelivery' });

/** The outcome of an alert. */
export const alertRecord = z
  .object({
    alert_id: z.string(),
    kind: z
      .enum(['detection', 'follow_up', 'withdrawal'])
      .describe('`withdrawal`: the detection of an alert that was sent is no longer found'),
    state: z.enum(ALERT_STATES),
    reason: z.string().nullable().describe('Why it was held or dropped'),
    detection_id: z.string(),
    detection_type: detectionType,
    subtype: z.string(),
    issue_id: z.string().nullable(),
    trace_id: z.string(),
    severity: severity,
    title: z.string(),
    agent: z.string().nullable().describe('Agent or node that the detection names'),
    repeats: z.number().int().describe('Detections that a follow-up counts'),
    held_until: z.string().nullable(),
    message_id: z.string().nullable().describe('Shared by the alerts of one digest'),
    deliveries: z.array(delivery),
    created_at: z.string(),
  })
  .meta({ id: 'Alert' });
export type AlertRecord = z.input<typeof alertRecord>;

export function toAlertRecord(row: AlertTable, deliveries: readonly AlertDeliveryTable[]): AlertRecord {
  const item = itemOf(row);
  return {
    alert_id: row.alert_id,
    kind: row.kind as AlertRecord['kind'],
    state: row.state as AlertRecord['state'],
    reason: row.reason,
    detection_id: row.detection_id,
    detection_type: item.type,
    subtype: item.subtype,
    issue_id: row.issue_id,
    trace_id: item.traceId,
    severity: item.severity,
    title: item.title,
    agent: item.agent,
    repeats: row.repeats,
    held_until: row.release_at === null ? null : toRfc3339(row.release_at),
    message_id: row.message_id,
    deliveries: deliveries.map(toDelivery),
    created_at: toRfc3339(row.created_at),
  };
}

function toDelivery(row: AlertDeliveryTable): AlertRecord['deliveries'][number] {
  return {
    channel: row.channel as AlertRecord['deliveries'][number]['channel'],
    target: row.target === '' ? null : row.target,
    state: row.state as AlertRecord['deliveries'][number]['state'],
    attempts: row.attempts,
    next_attempt_at: row.state === 'pending' ? toRfc3339(row.next_at) : null,
    delivered_at: row.delivered_at === null ? null : toRfc3339(row.delivered_at),
    problem: row.last_error,
  };
}
