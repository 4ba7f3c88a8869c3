import { type Transferable, Worker } from 'node:worker_threads';
import { AddonGate } from './addon-gate.ts';
import type { WorkerReply, WorkerRequest } from './worker-messages.ts';

/** Code of a worker: text inside the executable, a file when run from sources. */
export interface WorkerEntry {
  code?: string;
  url?: URL;
  /** V8 heap of a worker, MiB. */
  maxHeapMb?: number;
}

/** `workerData` of every worker. */
export interface WorkerMemory {
  /** What the pool shares with the worker. */
  memory: SharedArrayBuffer;
  addonGate: SharedArrayBuffer;
}

export interface WorkerThreadEvents {
  onReply(reply: WorkerReply): void;
  /** Called once, when the thread has ended or could not start. */
  onEnd(error: Error): void;
}

const DEFAULT_HEAP_MB = 2_048;
/** V8 keeps the memory of a large young generation, and a server runs several workers. */
const YOUNG_GENERATION_MB = 48;

/** One worker thread. `isReady` turns true when it has loaded its code: an earlier exit is the machine's fault. */
export class WorkerThread {
  readonly memory: SharedArrayBuffer;
  isReady = false;
  readonly #worker: Worker;
  readonly #addonGate: AddonGate;
  readonly #exited: Promise<void>;
  #onEnd: ((error: Error) => void) | null;

  /** @throws Error if the machine cannot start a thread */
  constructor(
    { code, url, maxHeapMb }: WorkerEntry,
    memory: SharedArrayBuffer,
    events: WorkerThreadEvents,
    addonGate = new AddonGate(),
  ) {
    this.memory = memory;
    this.#addonGate = addonGate;
    this.#onEnd = events.onEnd;
    // A task that needs more memory ends its worker, not the server.
    const resourceLimits = {
      maxOldGenerationSizeMb: maxHeapMb ?? DEFAULT_HEAP_MB,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
    };
    const workerData: WorkerMemory = { memory, addonGate: this.#addonGate.memory };
    const options = { resourceLimits, workerData };
    this.#worker = code === undefined ? new Worker(url as URL, options) : new Worker(code, { eval: true, ...options });
    this.#worker.on('message', (reply: WorkerReply) => {
      if (reply === 'ready') this.isReady = true;
      events.onReply(reply);
    });
    this.#worker.on('error', (error) => this.end(error instanceof Error ? error : new Error(String(error))));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.end(new Error('the worker ended'));
        resolve();
      });
    });
  }

  send(request: WorkerRequest, transfer: readonly Transferable[]): void {
    this.#worker.postMessage(request, transfer);
  }

  /** Reports the end once and stops the thread. */
  end(error: Error): void {
    this.#onEnd?.(error);
    void this.terminate();
  }

  /** Stops the thread without reporting an end. */
  async terminate(): Promise<void> {
    this.#onEnd = null;
    // A thread that has ended while it loaded an addon never opens the gate.
    await Promise.race([this.#addonGate.close(), this.#exited]);
    await this.#worker.terminate();
  }
}
