import type { GraphLayout } from '../../graph-worker/layout.ts';
import type { LayoutRequest } from '../../graph-worker/layout-request.ts';
import type { LayoutResponse } from '../../graph-worker/main.ts';

const DEADLINE_MS = 2_000;

/** The only script that the page may start as a worker; the trusted-types policy rejects any other. */
const WORKER_URL = document.querySelector<HTMLMetaElement>('meta[name="graph-worker"]')?.content ?? '';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string;
  };
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('misstep-worker', {
  createScriptURL(url) {
    if (url !== WORKER_URL) throw new TypeError(`not a worker of this page: ${url}`);
    return url;
  },
});

/**
 * Lays out a graph in a new worker, which is terminated afterwards.
 * @throws if the worker fails, or has no layout after two seconds
 */
export function layOutGraph(request: LayoutRequest, signal: AbortSignal): Promise<GraphLayout> {
  const worker = new Worker(policy ? policy.createScriptURL(WORKER_URL) : WORKER_URL, { type: 'module' });
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
