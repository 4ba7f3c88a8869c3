import type { AlertContent, AlertItem } from '../../core/alert.ts';
import { toRfc3339 } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';

/** A body of Standard Webhooks: `type`, `timestamp`, `data`. Texts are unchanged from the detection. */
export interface WebhookBody {
  type: 'alert.detection' | 'alert.follow_up' | 'alert.withdrawal' | 'alert.digest' | 'alert.test';
  timestamp: string;
  data: JsonObject;
}

/** @param at creation time of the message: a retry sends the same bytes */
export function renderWebhook(content: AlertContent, at: number): WebhookBody {
  const timestamp = toRfc3339(at);
  switch (content.kind) {
    case 'alert':
      return { type: 'alert.detection', timestamp, data: itemData(content.item) };
    case 'follow_up':
      return {
        type: 'alert.follow_up',
        timestamp,
        data: { ...itemData(content.item), repeats: content.repeats, ...rangeOf(content) },
      };
    case 'withdrawal':
      return { type: 'alert.withdrawal', timestamp, data: itemData(content.item) };
    case 'digest':
      return {
        type: 'alert.digest',
        timestamp,
        data: {
          total: content.total,
          group_total: content.groupTotal,
          ...rangeOf(content),
          groups: content.groups.map(({ item, count }) => ({ ...itemData(item), count })),
        },
      };
    case 'test':
      return { type: 'alert.test', timestamp, data: {} };
  }
}

function rangeOf({ from, until }: { from: number; until: number }): JsonObject {
  return { from: toRfc3339(from), until: toRfc3339(until) };
}

function itemData(item: AlertItem): JsonObject {
  return {
    detection_id: item.detectionId,
    detection_type: item.type,
    subtype: item.subtype,
    severity: item.severity,
    confidence: item.confidence,
    calibrated: item.isCalibrated,
    basis: item.isFact === true ? 'fact' : item.isCalibrated ? 'calibrated' : 'uncalibrated',
    agent_id: item.agent,
    trace_id: item.traceId,
    issue_id: item.issueId,
    title: item.title,
    explanation: item.explanation,
    suggested_action: item.suggestedAction,
    detected_at: toRfc3339(item.detectedAt),
    url: item.url,
  };
}
