import type { JsonObject } from '../../core/json.ts';

/** Events of the streams of platforms. */
export const PLATFORM_EVENTS = [
  'execution.started',
  'execution.updated',
  'execution.finished',
  'detection.created',
  'alert.sent',
] as const;

export const TOPICS = ['traces', 'issues', 'healing', 'imports'] as const;
export type Topic = (typeof TOPICS)[number];

/** Events of a tenant's stream, and the topic that each belongs to. */
export const TOPIC_OF_EVENT = {
  'execution.started': 'traces',
  'execution.updated': 'traces',
  'execution.finished': 'traces',
  'detection.created': 'traces',
  'alert.sent': 'issues',
  'issue.created': 'issues',
  'issue.regressed': 'issues',
  'issue.updated': 'issues',
  'healing.created': 'healing',
  'healing.updated': 'healing',
  'import.created': 'imports',
  'import.updated': 'imports',
} as const satisfies Record<string, Topic>;
export type TenantEventName = keyof typeof TOPIC_OF_EVENT;

/** `gap`: events of any topic were omitted; clients must read the lists again. */
export type StreamEventName = TenantEventName | 'gap';

export interface StreamEvent {
  /** Increases with each event, also across restarts. */
  id: number;
  event: StreamEventName;
  data: JsonObject;
}
