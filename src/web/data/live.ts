import { effect } from '@preact/signals';
import { BASE } from '../address/router.ts';
import { tenantId } from './session.ts';

/** Events of `GET /tenants/{tenant_id}/stream` that views react to. */
const EVENT_NAMES = [
  'execution.started',
  'execution.updated',
  'execution.finished',
  'detection.created',
  'issue.created',
  'issue.regressed',
  'issue.updated',
  'healing.created',
  'healing.updated',
  'import.created',
  'import.updated',
  'gap',
] as const;
export type LiveEventName = (typeof EVENT_NAMES)[number];

export interface LiveEvent {
  name: LiveEventName;
  data: Record<string, unknown>;
}

/** Delay before a rejected connection is retried. The browser itself reconnects after a lost connection. */
const RECONNECT_MS = 30_000;

const listeners = new Set<(event: LiveEvent) => void>();

/** Calls `listener` with each event of the tenant. @returns stops the calls */
export function onLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** One connection for all tabs of the tenant: the tab that holds the lock reads the stream and broadcasts its events. */
export function listenToTenant(): void {
  effect(() => {
    const id = tenantId.value;
    return id === null ? undefined : shareStream(id);
  });
}

function shareStream(tenant: string): () => void {
  const controller = new AbortController();
  const name = `misstep.live.${tenant}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => notifyListeners(data);
  const publish = (event: LiveEvent) => {
    notifyListeners(event);
    channel.postMessage(event);
  };
  const read = () =>
    new Promise<void>((resolve) => {
      const close = readStream(tenant, publish);
      controller.signal.addEventListener('abort', () => {
        close();
        resolve();
      });
    });
  // Browsers support locks only on https and localhost; elsewhere every tab has its own connection.
  if (navigator.locks) navigator.locks.request(name, { signal: controller.signal }, read).catch(() => {});
  else void read();
  return () => {
    controller.abort();
    channel.close();
  };
}

function notifyListeners(event: LiveEvent): void {
  for (const listener of [...listeners]) listener(event);
}

/** The browser reconnects a lost connection with the id of the last event. */
function readStream(tenant: string, publish: (event: LiveEvent) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  const open = () => {
    source = new EventSource(`${BASE}/api/v1/tenants/${encodeURIComponent(tenant)}/stream`);
    for (const name of EVENT_NAMES) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => publish({ name, data: JSON.parse(data) }));
    }
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RECONNECT_MS);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
