import { JsonText } from '../../core/json-text.ts';
import { encodeChunks } from './encode-chunks.ts';
import type { OffloadContext, OffloadTask } from './task.ts';

export interface RunOptions {
  /** The tenant of the task: each tenant has a share of the workers. */
  tenantNo: number;
  /** Ends the task. */
  signal?: AbortSignal;
}

/** Where heavy tasks run: worker threads in a server, the same thread in a one-shot command. */
export interface TaskRunner {
  /** False while no worker can start. */
  readonly isAvailable: boolean;
  /**
   * Resolves with the first piece of the document.
   * @throws AppError of the task; `backpressure` if too much waits, `unavailable` if no worker can start
   */
  start<Input, Output>(task: OffloadTask<Input, Output>, input: Input, options: RunOptions): Promise<JsonText<Output>>;
  close(): Promise<void>;
}

export function createInThreadRunner(context: OffloadContext): TaskRunner {
  return {
    isAvailable: true,
    start: async (task, input) => new JsonText(await withFirst(encodeChunks(task.run(context, input)))),
    close: async () => context.traces.forget(),
  };
}

/** Waits for the first item, so that a rejection is thrown here. */
export async function withFirst<Item>(items: AsyncGenerator<Item>): Promise<AsyncIterable<Item>> {
  const first = await items.next();
  return (async function* () {
    try {
      if (first.done) return;
      yield first.value;
      yield* items;
    } finally {
      await items.return(undefined);
    }
  })();
}
