import type { Clock } from '../../core/clock.ts';
import type { Integration } from '../../core/integration.ts';
import type { JsonObject } from '../../core/json.ts';

export const STREAM_EVENTS = [
  'execution.started',
  'execution.updated',
  'execution.finished',
  'detection.created',
  'alert.sent',
] as const;
export type StreamEventName = (typeof STREAM_EVENTS)[number];

export interface StreamEvent {
  /** Grows from event to event, across restarts too. */
  id: number;
  event: StreamEventName;
  data: JsonObject;
}

export interface StreamListener {
  take(event: StreamEvent): void;
  /** The hub closes; nothing more will come. */
  end(): void;
}

export interface Subscription {
  /** What came after the event that was asked for, oldest first. */
  missed: StreamEvent[];
  /** Whether events before `missed` are lost. */
  hasGap: boolean;
  /** Newest event there is; what a listener who asked for nothing begins after. */
  newestId: number;
  stop(): void;
}

/** Hands what happens on to the streams of a tenant's integration, and keeps the newest of it for those who come back. */
export interface EventHub {
  publish(tenantNo: number, integration: Integration, event: StreamEventName, data: JsonObject): void;
  /** @param afterId last event that the listener has had; null for one that is new */
  subscribe(tenantNo: number, integration: Integration, afterId: number | null, listener: StreamListener): Subscription;
  /** Listeners of a tenant; of all tenants where left out. */
  listenerCount(tenantNo?: number): number;
  close(): void;
}

/** Kept for each tenant and integration. */
const KEPT_EVENTS = 500;
/** Tenants' streams that are kept; the one that was quiet for longest goes first. */
const KEPT_CHANNELS = 1_000;

interface Channel {
  tenantNo: number;
  events: StreamEvent[];
  /** Events up to this one may be lost. */
  lostId: number;
  newestId: number;
  listeners: Set<StreamListener>;
}

export function createEventHub({
  clock,
  keptEvents = KEPT_EVENTS,
  keptChannels = KEPT_CHANNELS,
}: {
  clock: Clock;
  keptEvents?: number;
  keptChannels?: number;
}): EventHub {
  const channels = new Map<string, Channel>();
  // Follows the clock, so that ids grow beyond those of the process before.
  let lastId = clock.now() * 1000;
  let floor = lastId;

  function channelOf(tenantNo: number, integration: Integration): Channel {
    const key = `${tenantNo} ${integration}`;
    const known = channels.get(key);
    const channel = known ?? { tenantNo, events: [], lostId: floor, newestId: floor, listeners: new Set() };
    if (known) channels.delete(key);
    else makeRoom();
    channels.set(key, channel);
    return channel;
  }

  function makeRoom(): void {
    if (channels.size < keptChannels) return;
    for (const [key, { listeners, newestId }] of channels) {
      if (listeners.size > 0) continue;
      channels.delete(key);
      floor = Math.max(floor, newestId);
      return;
    }
  }

  return {
    publish(tenantNo, integration, event, data) {
      const channel = channelOf(tenantNo, integration);
      lastId = Math.max(lastId + 1, clock.now() * 1000);
      const entry = { id: lastId, event, data };
      channel.newestId = entry.id;
      channel.events.push(entry);
      if (channel.events.length > keptEvents) channel.lostId = (channel.events.shift() as StreamEvent).id;
      for (const listener of [...channel.listeners]) listener.take(entry);
    },
    subscribe(tenantNo, integration, afterId, listener) {
      const channel = channelOf(tenantNo, integration);
      channel.listeners.add(listener);
      const isKnown = afterId === null || (afterId >= channel.lostId && afterId <= channel.newestId);
      return {
        missed: afterId === null ? [] : channel.events.filter(({ id }) => !isKnown || id > afterId),
        hasGap: !isKnown,
        newestId: channel.newestId,
        stop: () => void channel.listeners.delete(listener),
      };
    },
    listenerCount: (tenantNo) =>
      [...channels.values()].reduce(
        (sum, each) => sum + (tenantNo === undefined || each.tenantNo === tenantNo ? each.listeners.size : 0),
        0,
      ),
    close() {
      for (const { listeners } of channels.values()) for (const listener of [...listeners]) listener.end();
    },
  };
}
