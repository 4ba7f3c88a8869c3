import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';

const RECORD_EVERY_MS = 60_000;
const MAX_RECORDED = 10_000;

/** Records the last use of a credential at most once a minute, without delaying the request. */
export function createUsageRecorder(
  write: (id: string, at: number) => Promise<void>,
  clock: Clock,
): (id: string) => void {
  const recordedAt = new Map<string, number>();
  return (id) => {
    const now = clock.now();
    if (isWithin(recordedAt.get(id) ?? -Infinity, now, RECORD_EVERY_MS)) return;
    if (recordedAt.size >= MAX_RECORDED) recordedAt.clear();
    recordedAt.set(id, now);
    // A lost update is harmless: the next minute writes another one.
    write(id, now).catch(() => {});
  };
}
