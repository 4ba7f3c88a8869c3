import { encodePieces } from '../features/offload/encode-pieces.ts';
import type { OffloadContext } from '../features/offload/task.ts';
import { offloadTasks } from '../features/offload/tasks.ts';
import { TraceMemory } from '../features/traces/trace-memory.ts';
import type { OfflineModelCatalog } from '../formats/model-catalog/catalog.ts';
import { openSqlite } from '../store/dialect.ts';
import { sendPieces } from './piece-port.ts';
import type { OffloadRequest, StoreFile } from './worker-tasks.ts';

const KEEP_TRACE_MS = 30_000;

/** Runs heavy tasks in this thread, with one read-only connection to a store. */
export class OffloadWorker {
  readonly #models: OfflineModelCatalog;
  readonly #contexts = new Map<string, OffloadContext>();

  constructor(models: OfflineModelCatalog) {
    this.#models = models;
  }

  async answer({ name, input, store, port }: OffloadRequest): Promise<boolean> {
    const task = offloadTasks.find((one) => one.name === name);
    if (!task) throw new Error(`there is no task ${name}`);
    return sendPieces(port, encodePieces(task.run(this.#contextOf(store), input)));
  }

  #contextOf({ file, addonPath }: StoreFile): OffloadContext {
    const known = this.#contexts.get(file);
    if (known) return known;
    const { db } = openSqlite({ file, addonPath, durability: 'normal', isReadOnly: true });
    const context = { db, models: this.#models, traces: new TraceMemory(KEEP_TRACE_MS) };
    this.#contexts.set(file, context);
    return context;
  }
}
