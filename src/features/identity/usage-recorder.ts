import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';

const NOTE_EVERY_MS = 60_000;
const MAX_NOTED = 10_000;

/** Records the last use of a credential at most once a minute, without delaying the request. */
export function createUsageRecorder(
  write: (id: string, at: number) => Promise<void>,
  clock: Clock,
): (id: string) => void {
  const notedAt = new Map<string, number>();
  return (id) => {
    const now = clock.now();
    if (isWithin(notedAt.get(id) ?? -Infinity, now, NOTE_EVERY_MS)) return;
    if (notedAt.size >= MAX_NOTED) notedAt.clear();
    notedAt.set(id, now);
    // A lost update is harmless: the next minute writes another one.
    write(id, now).catch(() => {});
  };
}
