import type { GraphLayout } from '../../graph-worker/layout.ts';
import type { LayoutRequest } from '../../graph-worker/layout-request.ts';
import type { LayoutResponse } from '../../graph-worker/main.ts';

const DEADLINE_MS = 2_000;

/** The one address that the page may start as a worker; the policy lets no other through. */
const ADDRESS = document.querySelector<HTMLMetaElement>('meta[name="graph-worker"]')?.content ?? '';

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): string;
  };
}

const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('misstep-worker', {
  createScriptURL(address) {
    if (address !== ADDRESS) throw new TypeError(`not a worker of this page: ${address}`);
    return address;
  },
});

/**
 * Lays a graph out in a worker that lives for this one request.
 * @throws if the worker fails, or has no layout after two seconds
 */
export function layOutGraph(request: LayoutRequest, signal: AbortSignal): Promise<GraphLayout> {
  const worker = new Worker(policy ? policy.createScriptURL(ADDRESS) : ADDRESS, { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<GraphLayout>();
  const timer = setTimeout(() => reject(new Error('no layout in two seconds')), DEADLINE_MS);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  worker.addEventListener('error', () => reject(new Error('the worker could not run')));
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutResponse>) => {
    if ('error' in data) reject(new Error(data.error));
    else resolve(data.layout);
  });
  worker.postMessage(request);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
