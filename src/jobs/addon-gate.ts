const OPEN = 0;
const LOADING = 1;
const CLOSED = 2;

/**
 * Keeps a worker thread from being terminated while it loads a native addon: Node-API aborts the whole process if the
 * initialization of an addon cannot create its objects because the thread is being terminated. Both threads share the memory.
 */
export class AddonGate {
  readonly memory: SharedArrayBuffer;
  readonly #state: Int32Array<SharedArrayBuffer>;
  #isLoaded = false;

  /** @param memory of the other thread; created if omitted */
  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#state = new Int32Array(memory);
  }

  /** In the worker: runs `load` the first time it is called. Blocks forever if the thread is being terminated. */
  load(load: () => void): void {
    if (this.#isLoaded) return;
    if (Atomics.compareExchange(this.#state, 0, OPEN, LOADING) === CLOSED) Atomics.wait(this.#state, 0, CLOSED);
    try {
      load();
      this.#isLoaded = true;
    } finally {
      Atomics.store(this.#state, 0, OPEN);
      Atomics.notify(this.#state, 0);
    }
  }

  /** In the owner: resolves when the worker is not loading, and keeps it from loading afterwards. */
  async close(): Promise<void> {
    while (Atomics.compareExchange(this.#state, 0, OPEN, CLOSED) === LOADING)
      await Atomics.waitAsync(this.#state, 0, LOADING).value;
  }
}
