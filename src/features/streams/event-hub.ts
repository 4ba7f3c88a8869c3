import type { Clock } from '../../core/clock.ts';
import type { Integration } from '../../core/integration.ts';
import type { JsonObject } from '../../core/json.ts';
import type { StreamEvent, StreamEventName } from './stream-event.ts';

/** The stream of a platform's runs, or that of all events of a tenant. */
export type StreamChannel = Integration | 'tenant';

export interface StreamListener {
  receive(event: StreamEvent): void;
  /** Called when the hub closes; no further events follow. */
  end(): void;
}

export interface Subscription {
  /** Events after the requested one, oldest first. */
  missed: StreamEvent[];
  /** Whether events before `missed` are lost. */
  hasGap: boolean;
  /** The newest event. A listener without a start position begins after it. */
  newestId: number;
  stop(): void;
}

/** Forwards events to the open streams of a tenant's channel, and keeps the newest for clients that reconnect. */
export interface EventHub {
  publish(tenantNo: number, name: StreamChannel, event: StreamEventName, data: JsonObject): void;
  /** @param afterId last event that the listener received; null for a new listener */
  subscribe(tenantNo: number, name: StreamChannel, afterId: number | null, listener: StreamListener): Subscription;
  /** Whether the channel keeps events: something was published on it, or a client opened it. */
  has(tenantNo: number, name: StreamChannel): boolean;
  /** Listeners of a tenant; omitted: of all tenants. */
  listenerCount(tenantNo?: number): number;
  close(): void;
}

/** Maximum events kept for each channel. */
const MAX_EVENTS = 500;
/** Maximum channels; the one without events for the longest time is removed first. */
const MAX_CHANNELS = 1_000;

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
  keptEvents = MAX_EVENTS,
  keptChannels = MAX_CHANNELS,
}: {
  clock: Clock;
  keptEvents?: number;
  keptChannels?: number;
}): EventHub {
  const channels = new Map<string, Channel>();
  // Follows the clock, so that ids are above those of the previous process.
  let lastId = clock.now() * 1000;
  let floor = lastId;

  function channelOf(tenantNo: number, name: StreamChannel): Channel {
    const key = keyOf(tenantNo, name);
    const known = channels.get(key);
    const channel = known ?? { tenantNo, events: [], lostId: floor, newestId: floor, listeners: new Set() };
    if (known) channels.delete(key);
    else evictOldest();
    channels.set(key, channel);
    return channel;
  }

  function evictOldest(): void {
    if (channels.size < keptChannels) return;
    for (const [key, { listeners, newestId }] of channels) {
      if (listeners.size > 0) continue;
      channels.delete(key);
      // Events before the channel is opened again may be lost, so its newest id is not sufficient.
      floor = Math.max(floor, newestId + 1);
      lastId = Math.max(lastId, floor);
      return;
    }
  }

  return {
    publish(tenantNo, name, event, data) {
      const channel = channelOf(tenantNo, name);
      lastId = Math.max(lastId + 1, clock.now() * 1000);
      const entry = { id: lastId, event, data };
      channel.newestId = entry.id;
      channel.events.push(entry);
      if (channel.events.length > keptEvents) channel.lostId = (channel.events.shift() as StreamEvent).id;
      for (const listener of [...channel.listeners]) listener.receive(entry);
    },
    subscribe(tenantNo, name, afterId, listener) {
      const channel = channelOf(tenantNo, name);
      channel.listeners.add(listener);
      const isKnown = afterId === null || (afterId >= channel.lostId && afterId <= channel.newestId);
      return {
        missed: afterId === null ? [] : channel.events.filter(({ id }) => !isKnown || id > afterId),
        hasGap: !isKnown,
        newestId: channel.newestId,
        stop: () => void channel.listeners.delete(listener),
      };
    },
    has: (tenantNo, name) => channels.has(keyOf(tenantNo, name)),
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

function keyOf(tenantNo: number, name: StreamChannel): string {
  return `${tenantNo} ${name}`;
}
