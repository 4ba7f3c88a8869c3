import { Worker } from 'node:worker_threads';
import type { DetectionType } from '../core/detection.ts';
import type { AnalysisInput, AnalysisOutcome } from '../features/analysis/analyze-chunks.ts';
import type { AnalysisExecutor } from '../features/analysis/executor.ts';
import { RunningDetector } from './running-detector.ts';
import type { WorkerReply } from './worker-main.ts';

export interface AnalysisPoolOptions {
  /** Worker threads; they start on first use. */
  size: number;
  entry: { code?: string; url?: URL };
  /** An analysis that takes longer costs its worker, which is replaced; the detector it was at is then left out. */
  timeoutMs: number;
}

/** A trace that needs more costs its worker, not the server. */
const resourceLimits = { maxOldGenerationSizeMb: 2048 };

interface Task {
  id: number;
  input: AnalysisInput;
  /** Detectors that ended a worker over it, and how; `input` leaves them out. */
  blamed: AnalysisOutcome['crashed'];
  resolve(outcome: AnalysisOutcome): void;
  reject(error: Error): void;
}

/** A trace is given up after that many of its detectors have ended a worker each. */
const MAX_BLAMED = 2;

interface Slot {
  worker: Worker;
  running: RunningDetector;
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
      waiting.push({ id: lastId, input, blamed: [], resolve, reject });
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
    const running = new RunningDetector();
    const shared = { resourceLimits, workerData: running.memory };
    const worker = code === undefined ? new Worker(url as URL, shared) : new Worker(code, { eval: true, ...shared });
    const slot: Slot = { worker, running, task: null, timer: null };
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
      if ('outcome' in reply) task.resolve(withBlame(withBuffers(reply.outcome), task));
      else task.reject(new Error(reply.error));
    }
    // What was cut off in the middle may have left anything half-written.
    if ('outcome' in reply && reply.outcome.overran.some(({ ms }) => ms !== null)) end(slot);
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
    if (!end(slot)) return;
    const task = release(slot);
    const retried = task === null ? null : withoutCulprit(task, slot.running.read(), error);
    if (retried !== null) waiting.unshift(retried);
    else task?.reject(error);
    if (!isClosed) dispatch();
  }

  /** @returns false where it had ended already */
  function end(slot: Slot): boolean {
    const at = slots.indexOf(slot);
    if (at < 0) return false;
    slots.splice(at, 1);
    void slot.worker.terminate();
    return true;
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

/** The trace once more without the detector that ended its worker; null where none did, or too many have. */
function withoutCulprit(task: Task, type: DetectionType | null, { message }: Error): Task | null {
  if (type === null || task.blamed.length >= MAX_BLAMED) return null;
  const blamed = [...task.blamed, { type, message }];
  return { ...task, blamed, input: { ...task.input, without: blamed.map((each) => each.type) } };
}

function withBlame(outcome: AnalysisOutcome, { blamed }: Task): AnalysisOutcome {
  return blamed.length === 0 ? outcome : { ...outcome, crashed: [...outcome.crashed, ...blamed] };
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
