import { DETECTION_TYPES, type DetectionType } from '../core/detection.ts';

/** The detector that a worker is running, reported through shared memory: a thread that hangs or dies cannot send messages. */
export class RunningDetector {
  readonly memory: SharedArrayBuffer;
  readonly #number: Int32Array;

  /** @param memory of the other side; created if omitted */
  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#number = new Int32Array(memory);
  }

  set(type: DetectionType | null): void {
    Atomics.store(this.#number, 0, type === null ? 0 : 1 + DETECTION_TYPES.indexOf(type));
  }

  /** Null if none is running. */
  read(): DetectionType | null {
    return DETECTION_TYPES[Atomics.load(this.#number, 0) - 1] ?? null;
  }
}
