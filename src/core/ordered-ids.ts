import type { Clock } from './clock.ts';
import { newId, type Random } from './id.ts';

const COUNTER_VALUES = 4_096;

/**
 * Creates ids that sort by creation order even within one millisecond: the 12 bits after the time are a counter
 * (RFC 9562, 6.2, method 1).
 */
export function createOrderedIds(clock: Clock, random: Random): (prefix: string) => string {
  let lastMs = 0;
  let count = 0;
  return (prefix) => {
    const now = clock.now();
    count = now === lastMs ? (count + 1) % COUNTER_VALUES : 0;
    lastMs = now;
    return newId(prefix, { now: () => now }, (size) => {
      const bytes = random(size).slice();
      bytes[0] = count >> 8;
      bytes[1] = count & 0xff;
      return bytes;
    });
  };
}
