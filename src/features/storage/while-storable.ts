import { storageFailureOf } from '../../store/storage-failure.ts';
import type { StorageGuard } from './storage-guard.ts';

/** Work that a loop does when it is due. */
interface Work {
  runDue(limit: number): Promise<number>;
  nextDueAt(): Promise<number | null>;
}

const ASK_AGAIN_MS = 1_000;

/** The same work, which waits while nothing can be stored: no attempt is counted, and nothing is logged repeatedly. */
export function whileStorable(work: Work, guard: Pick<StorageGuard, 'isWritable'>, now: () => number): Work {
  return {
    async runDue(limit) {
      if (!guard.isWritable()) return 0;
      try {
        return await work.runDue(limit);
      } catch (error) {
        // The store reports it to the guard, which logs it once.
        if (storageFailureOf(error) !== null) return 0;
        throw error;
      }
    },
    nextDueAt: async () => (guard.isWritable() ? work.nextDueAt() : now() + ASK_AGAIN_MS),
  };
}
