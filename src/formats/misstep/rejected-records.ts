import type { JsonObject } from '../../core/json.ts';
import { nsToMs } from '../../core/span.ts';
import { MISSTEP } from './attributes.ts';

/**
 * Counts the rejected records of a session while its decoder reads them in order. Its attributes belong on the root span:
 * they state that steps of the trace are missing, and whether the last ones are.
 */
export class RejectedRecords {
  #count = 0;
  #afterMs = 0;

  /** @param readUntilNs newest time in the records read so far, Unix nanoseconds; null if none was read */
  add(readUntilNs: bigint | null): void {
    this.#count += 1;
    if (readUntilNs !== null) this.#afterMs = Math.max(this.#afterMs, nsToMs(readUntilNs));
  }

  /** Empty if nothing was rejected. */
  attributes(): JsonObject {
    if (this.#count === 0) return {};
    return { [MISSTEP.recordsRejected]: this.#count, [MISSTEP.recordsRejectedAfterMs]: this.#afterMs };
  }
}
