import type { JsonObject } from '../../core/json.ts';
import type { EventHub } from './event-hub.ts';
import { type TenantEventName, TOPIC_OF_EVENT, type Topic } from './stream-event.ts';

/** Calls `run` once after `ms` milliseconds. */
export type After = (ms: number, run: () => void) => void;

export interface TenantEventsOptions {
  hub: Pick<EventHub, 'publish' | 'has'>;
  after?: After;
}

/** Changes of one object within this time are one event. */
const BATCH_DELAY_MS = 250;
/** Maximum events of a tenant per publication; the rest is one `gap`. */
const MAX_PER_TURN = 200;

interface PendingEvents {
  events: Map<string, { event: TenantEventName; data: JsonObject }>;
  /** Omitted events, by topic. */
  leftOut: Map<Topic, number>;
}

/**
 * The events of the tenant streams. They are collected for a quarter of a second: a run that grows by many requests a
 * second is one event, and a burst of thousands of runs is at most 200 events and a `gap`. A tenant whose stream is not
 * open costs nothing.
 */
export class TenantEvents {
  readonly #hub: TenantEventsOptions['hub'];
  readonly #after: After;
  readonly #pending = new Map<number, PendingEvents>();
  #isScheduled = false;

  constructor({ hub, after = afterUnref }: TenantEventsOptions) {
    this.#hub = hub;
    this.#after = after;
  }

  /**
   * Call it after the commit. @param object id of the changed object; later events of one object replace earlier ones
   */
  record(tenantNo: number, event: TenantEventName, object: string, data: JsonObject): void {
    if (!this.#hub.has(tenantNo, 'tenant')) return;
    const { events, leftOut } = this.#pendingOf(tenantNo);
    const topic = TOPIC_OF_EVENT[event];
    const key = `${topic} ${object}`;
    const before = events.get(key);
    if (before === undefined && events.size >= MAX_PER_TURN) leftOut.set(topic, (leftOut.get(topic) ?? 0) + 1);
    else events.set(key, { event: before ? joinedName(before.event, event) : event, data });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#after(BATCH_DELAY_MS, () => this.#publish());
  }

  #pendingOf(tenantNo: number): PendingEvents {
    const known = this.#pending.get(tenantNo);
    if (known) return known;
    const pending: PendingEvents = { events: new Map(), leftOut: new Map() };
    this.#pending.set(tenantNo, pending);
    return pending;
  }

  #publish(): void {
    this.#isScheduled = false;
    for (const [tenantNo, { events, leftOut }] of this.#pending) {
      for (const { event, data } of events.values()) this.#hub.publish(tenantNo, 'tenant', event, data);
      if (leftOut.size > 0) this.#hub.publish(tenantNo, 'tenant', 'gap', gapOf(leftOut));
    }
    this.#pending.clear();
  }
}

const CREATION_EVENTS: ReadonlySet<TenantEventName> = new Set([
  'execution.started',
  'issue.created',
  'issue.regressed',
  'healing.created',
  'import.created',
]);

/** A created object and its first changes are one event. */
function joinedName(before: TenantEventName, now: TenantEventName): TenantEventName {
  return CREATION_EVENTS.has(before) && now.endsWith('.updated') ? before : now;
}

function gapOf(leftOut: ReadonlyMap<Topic, number>): JsonObject {
  return {
    message: 'Too many changes at once; read the lists again.',
    left_out: Object.fromEntries(leftOut),
  };
}

function afterUnref(ms: number, run: () => void): void {
  setTimeout(run, ms).unref();
}
