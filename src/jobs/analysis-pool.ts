import { Worker } from 'node:worker_threads';
import type { AnalysisInput, AnalysisOutcome } from '../features/analysis/analyze-chunks.ts';
import type { AnalysisExecutor } from '../features/analysis/executor.ts';
import type { WorkerReply } from './worker-main.ts';

export interface AnalysisPoolOptions {
  /** Worker threads; they start on first use. */
  size: number;
  entry: { code?: string; url?: URL };
  /** A trace that takes longer costs its worker, which is replaced. */
  timeoutMs: number;
}

/** A trace that needs more costs its worker, not the server. */
const resourceLimits = { maxOldGenerationSizeMb: 2048 };

interface Task {
  id: number;
  input: AnalysisInput;
  resolve(outcome: AnalysisOutcome): void;
  reject(error: Error): void;
}

interface Slot {
  worker: Worker;
  task: Task | null;
  timer: NodeJS.Timeout | null;
}

/** Runs analyses on worker threads, so that a slow trace stalls no request. */
export function createAnalysisPool(options: AnalysisPoolOptions): AnalysisExecutor {
  const slots: Slot[] = [];
  const waiting: Task[] = [];
  let lastId = 0;
  let isClosed = false;

  function run(input: AnalysisInput): Promise<AnalysisOutcome> {
    if (isClosed) return Promise.reject(new Error('the analysis pool is closed'));
    return new Promise((resolve, reject) => {
      lastId += 1;
      waiting.push({ id: lastId, input, resolve, reject });
      dispatch();
    });
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const slot = slots.find((candidate) => candidate.task === null) ?? openSlot();
      if (!slot) return;
      start(slot, waiting.shift() as Task);
    }
  }

  function openSlot(): Slot | null {
    if (slots.length >= options.size) return null;
    const { code, url } = options.entry;
    const worker =
      code === undefined
        ? new Worker(url as URL, { resourceLimits })
        : new Worker(code, { eval: true, resourceLimits });
    const slot: Slot = { worker, task: null, timer: null };
    worker.on('message', (reply: WorkerReply) => finish(slot, reply));
    worker.on('error', (error) => drop(slot, error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => drop(slot, new Error('the analysis worker ended')));
    slots.push(slot);
    return slot;
  }

  function start(slot: Slot, task: Task): void {
    slot.task = task;
    slot.timer = setTimeout(
      () => drop(slot, new Error(`the analysis took longer than ${options.timeoutMs} ms`)),
      options.timeoutMs,
    );
    slot.worker.postMessage({ id: task.id, input: task.input });
  }

  function finish(slot: Slot, reply: WorkerReply): void {
    const task = release(slot);
    if (task?.id === reply.id) {
      if ('outcome' in reply) task.resolve(withBuffers(reply.outcome));
      else task.reject(new Error(reply.error));
    }
    dispatch();
  }

  function release(slot: Slot): Task | null {
    const { task, timer } = slot;
    if (timer) clearTimeout(timer);
    slot.task = null;
    slot.timer = null;
    return task;
  }

  function drop(slot: Slot, error: Error): void {
    const at = slots.indexOf(slot);
    if (at < 0) return;
    slots.splice(at, 1);
    release(slot)?.reject(error);
    void slot.worker.terminate();
    if (!isClosed) dispatch();
  }

  return {
    run,
    async close() {
      isClosed = true;
      for (const task of waiting.splice(0)) task.reject(new Error('the analysis pool is closed'));
      await Promise.all(
        slots.splice(0).map((slot) => {
          release(slot)?.reject(new Error('the analysis pool is closed'));
          return slot.worker.terminate();
        }),
      );
    },
  };
}

/** Buffers arrive from another thread as plain byte arrays. */
function withBuffers(outcome: AnalysisOutcome): AnalysisOutcome {
  const { compacted } = outcome;
  if (!compacted) return outcome;
  return {
    ...outcome,
    compacted: { ...compacted, data: Buffer.from(compacted.data), contentHash: Buffer.from(compacted.contentHash) },
  };
}
