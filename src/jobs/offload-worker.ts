import { encodeChunks } from '../features/offload/encode-chunks.ts';
import type { OffloadContext } from '../features/offload/task.ts';
import { offloadTasks } from '../features/offload/tasks.ts';
import { TraceCache } from '../features/traces/trace-cache.ts';
import type { OfflineModelCatalog } from '../formats/model-catalog/catalog.ts';
import { openSqlite } from '../store/dialect.ts';
import { sendChunks } from './chunk-port.ts';
import type { OffloadRequest, StoreFile } from './worker-tasks.ts';

const KEEP_TRACE_MS = 30_000;

/** Runs expensive tasks on this thread, with one read-only connection to a store. */
export class OffloadWorker {
  readonly #models: OfflineModelCatalog;
  readonly #contexts = new Map<string, OffloadContext>();

  constructor(models: OfflineModelCatalog) {
    this.#models = models;
  }

  async answer({ name, input, store, port }: OffloadRequest): Promise<boolean> {
    const task = offloadTasks.find((one) => one.name === name);
    if (!task) throw new Error(`there is no task ${name}`);
    return sendChunks(port, encodeChunks(task.run(this.#contextOf(store), input)));
  }

  #contextOf({ file, addonPath }: StoreFile): OffloadContext {
    const known = this.#contexts.get(file);
    if (known) return known;
    const { db } = openSqlite({ file, addonPath, durability: 'normal', isReadOnly: true });
    const context = { db, models: this.#models, traces: new TraceCache(KEEP_TRACE_MS) };
    this.#contexts.set(file, context);
    return context;
  }
}
