import type { Services } from '../features/services.ts';
import type { OpenedStore } from '../store/open-store.ts';

/** Stops the services, then their resources: workers first, the store last. */
export async function closeApp(
  services: Services,
  executors: readonly { close(): Promise<void> }[],
  store: OpenedStore,
): Promise<void> {
  services.streams.close();
  services.platforms.close();
  services.judge.close();
  services.imports.close();
  services.deletion.close();
  services.analytics.close();
  services.analysis.close();
  await services.ingest.flush();
  for (const executor of executors) await executor.close();
  await services.analysis.idle();
  // If the store cannot be written, the next process releases the leases of this one.
  await services.leases.close().catch(() => {});
  await store.close();
}
