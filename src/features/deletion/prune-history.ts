import type { Kysely } from 'kysely';
import {
  type PruneHistory,
  pruneAuditLog,
  pruneDrainedFiles,
  pruneImportJobs,
  pruneOperationJobs,
} from '../../store/history.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';

const DAY_MS = 86_400_000;
/** Small, so that other writes are not delayed. */
const SLICE = 100;

/** History tables with their retention in days (docs/storage.md). */
export const HISTORY: readonly { prune: PruneHistory; retentionDays: number }[] = [
  { prune: pruneAuditLog, retentionDays: 365 },
  { prune: pruneOperationJobs, retentionDays: 30 },
  { prune: pruneImportJobs, retentionDays: 90 },
  { prune: pruneDrainedFiles, retentionDays: 90 },
];

/** Deletes history beyond its retention, in short transactions. @returns how many rows */
export async function pruneHistory(db: Kysely<Database>, now: number): Promise<number> {
  let total = 0;
  for (const { prune, retentionDays } of HISTORY) {
    let count = SLICE;
    while (count === SLICE) {
      count = await inTransaction(db, (transaction) => prune(transaction, now - retentionDays * DAY_MS, SLICE));
      total += count;
      await new Promise(setImmediate);
    }
  }
  return total;
}
