import type { Kysely } from 'kysely';
import type { AlertChannel, AlertContent, AlertItem } from '../../core/alert.ts';
import { integrationOfFramework } from '../../core/integration.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Database } from '../../store/schema.ts';
import { readTraces } from '../../store/trace.store.ts';
import type { EventHub } from '../streams/event-hub.ts';

/** A new detection with the framework of its trace. */
export interface AnnouncedDetection {
  framework: string;
  payload: JsonObject;
}

/** Publishes detections and alerts, each on the stream of the platform of its trace. */
export interface DetectionEvents {
  publishDetections(tenantNo: number, announced: readonly AnnouncedDetection[]): void;
  publishAlert(tenantNo: number, sent: SentAlert): Promise<void>;
}

export interface SentAlert {
  messageId: string;
  channel: AlertChannel;
  content: AlertContent;
}

export function createDetectionEvents({
  db,
  hub,
}: {
  db: Kysely<Database>;
  hub: Pick<EventHub, 'publish'>;
}): DetectionEvents {
  return {
    publishDetections(tenantNo, announced) {
      for (const { framework, payload } of announced) {
        const integration = integrationOfFramework(framework);
        const { alert: _, ...data } = payload;
        if (integration !== null) hub.publish(tenantNo, integration, 'detection.created', data);
      }
    },
    async publishAlert(tenantNo, { messageId, channel, content }) {
      const items = alertItemsOf(content);
      const traces = await readTraces(
        db,
        tenantNo,
        items.map(({ traceId }) => traceId),
      );
      const platformOf = ({ traceId }: AlertItem) => integrationOfFramework(traces.get(traceId)?.framework ?? '');
      for (const [integration, group] of Map.groupBy(items, platformOf)) {
        if (integration === null) continue;
        const payload = { message_id: messageId, kind: content.kind, channel, items: group.map(toAlertedDetection) };
        hub.publish(tenantNo, integration, 'alert.sent', payload);
      }
    },
  };
}

/** None of a test message. */
export function alertItemsOf(content: AlertContent): AlertItem[] {
  if (content.kind === 'test') return [];
  return content.kind === 'digest' ? content.groups.map(({ item }) => item) : [content.item];
}

export function toAlertedDetection({ detectionId, traceId, type, subtype, severity, title }: AlertItem): JsonObject {
  return { detection_id: detectionId, trace_id: traceId, type, subtype, severity, title };
}
