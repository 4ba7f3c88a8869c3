/** Timers as the browser has them; tests advance their own. */
export interface Timers {
  start(run: () => void, delayMs: number): number;
  stop(timer: number): void;
}

/** Calls a function with the last value, once no other value has come for a time. */
export class DelayedCall<Value> {
  readonly #delayMs: number;
  readonly #call: (value: Value) => void;
  readonly #timers: Timers;
  #timer: number | null = null;

  constructor(delayMs: number, call: (value: Value) => void, timers: Timers) {
    this.#delayMs = delayMs;
    this.#call = call;
    this.#timers = timers;
  }

  schedule(value: Value): void {
    this.cancel();
    this.#timer = this.#timers.start(() => this.runNow(value), this.#delayMs);
  }

  runNow(value: Value): void {
    this.cancel();
    this.#call(value);
  }

  cancel(): void {
    if (this.#timer !== null) this.#timers.stop(this.#timer);
    this.#timer = null;
  }
}
