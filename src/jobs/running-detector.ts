import { DETECTION_TYPES, type DetectionType } from '../core/detection.ts';

/** Which detector a worker is at, told over shared memory: a thread that hangs or dies says nothing else any more. */
export class RunningDetector {
  readonly memory: SharedArrayBuffer;
  readonly #number: Int32Array;

  /** @param memory of the other side; new where left out */
  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#number = new Int32Array(memory);
  }

  tell(type: DetectionType | null): void {
    Atomics.store(this.#number, 0, type === null ? 0 : 1 + DETECTION_TYPES.indexOf(type));
  }

  /** Null where none is running. */
  read(): DetectionType | null {
    return DETECTION_TYPES[Atomics.load(this.#number, 0) - 1] ?? null;
  }
}
