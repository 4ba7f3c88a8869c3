import type { Detection } from '../../src/core/detection.ts';
import { createInThreadExecutor } from '../../src/features/analysis/executor.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from './store-app.ts';
import { makeDetection } from './stored-detection.ts';

/** A store with detections that the test defines. */
export interface FoundDetections {
  store: StoreApp;
  tenantId: string;
  /** A run that begins now and is analyzed, with these detections. */
  run(number: number, ...detections: Partial<Detection>[]): Promise<void>;
  /** The same for a run of another service. */
  runOf(service: string, number: number, ...detections: Partial<Detection>[]): Promise<void>;
}

export async function openFoundDetections(): Promise<FoundDetections> {
  let current: Detection[] = [];
  const inner = createInThreadExecutor(createModelCatalog());
  const run: typeof inner.run = async (input) => ({ ...(await inner.run(input)), detections: current });
  const store = await openStoreApp({ dependencies: { executor: { ...inner, run } } });
  const tenantId = await store.newTenant();
  async function runOf(service: string, number: number, ...detections: Partial<Detection>[]): Promise<void> {
    current = detections.map(makeDetection);
    await store.send(tenantId, runSpans(number, { service, startNs: BigInt(store.clock.now()) * 1_000_000n }));
    store.clock.advance(10_000);
    await store.services.analysis.analyzeTrace(tenantId, traceIdOf(number));
  }
  return {
    store,
    tenantId,
    run: (number, ...detections) => runOf('desk', number, ...detections),
    runOf,
  };
}
