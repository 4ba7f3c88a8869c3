import { effect } from '@preact/signals';
import { BASE } from '../address/router.ts';
import { tenantId } from './session.ts';

/** Events of `GET /tenants/{tenant_id}/stream` that views react to. */
const NAMES = [
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
export type LiveEventName = (typeof NAMES)[number];

export interface LiveEvent {
  name: LiveEventName;
  data: Record<string, unknown>;
}

/** A refused connection is tried again after this time; one that broke, by the browser itself. */
const AGAIN_MS = 30_000;

const listeners = new Set<(event: LiveEvent) => void>();

/** Calls `listener` with each event of the tenant. @returns stops the calls */
export function onLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** One connection for all tabs of the tenant: the tab that holds the lock reads the stream and passes it on. */
export function listenToTenant(): void {
  effect(() => {
    const id = tenantId.value;
    return id === null ? undefined : joinTabs(id);
  });
}

function joinTabs(tenant: string): () => void {
  const left = new AbortController();
  const name = `misstep.live.${tenant}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => hear(data);
  const pass = (event: LiveEvent) => {
    hear(event);
    channel.postMessage(event);
  };
  const read = () =>
    new Promise<void>((done) => {
      const close = readStream(tenant, pass);
      left.signal.addEventListener('abort', () => {
        close();
        done();
      });
    });
  // Browsers have locks only on https and on this machine; elsewhere every tab reads for itself.
  if (navigator.locks) navigator.locks.request(name, { signal: left.signal }, read).catch(() => {});
  else void read();
  return () => {
    left.abort();
    channel.close();
  };
}

function hear(event: LiveEvent): void {
  for (const listener of [...listeners]) listener(event);
}

/** The browser connects again by itself after a break, and names the event that it saw last. */
function readStream(tenant: string, pass: (event: LiveEvent) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  const open = () => {
    source = new EventSource(`${BASE}/api/v1/tenants/${encodeURIComponent(tenant)}/stream`);
    for (const name of NAMES) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => pass({ name, data: JSON.parse(data) }));
    }
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
