import type { Db } from './connection.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A column that holds a due time. */
interface DueTime {
  table: string;
  column: string;
  /** Only rows of this kind; rows of other kinds. */
  kind?: string;
  exceptKind?: string;
  /** Maximum distance of a due time from now, milliseconds. */
  maxAheadMs: number;
}

/** All due times of work. Times that a user chose, such as the expiry of a key or of a snooze, are not included. */
export const DUE_TIMES: readonly DueTime[] = [
  { table: 'jobs', column: 'run_at', kind: 'settle', maxAheadMs: 5 * MINUTE },
  { table: 'jobs', column: 'run_at', exceptKind: 'settle', maxAheadMs: 2 * HOUR },
  { table: 'outbox', column: 'deliver_after', maxAheadMs: DAY },
  { table: 'alerts', column: 'release_at', maxAheadMs: 2 * DAY },
  { table: 'alert_folds', column: 'closes_at', maxAheadMs: 15 * MINUTE },
  { table: 'alert_deliveries', column: 'next_at', maxAheadMs: DAY },
  { table: 'platform_syncs', column: 'run_at', maxAheadMs: 2 * DAY },
];

/** Leases end with their owner; this is for leases without a known owner. */
const LEASED_TABLES = ['jobs', 'import_jobs', 'operation_jobs', 'platform_syncs', 'alert_deliveries'];
const MAX_LEASE_MS = 10 * MINUTE;

/** The clock was set back by `stepMs` to `now`: shifts due times so that the remaining waits are unchanged. @returns the number of rows */
export async function shiftDueTimes(db: Db, now: number, stepMs: number): Promise<number> {
  let count = 0n;
  for (const due of DUE_TIMES) {
    const result = await rowsOf(db, due, now)
      .set((update) => ({
        [due.column]: update
          .case()
          .when(due.column as 'run_at', '>', now + stepMs)
          .then(update(due.column as 'run_at', '-', stepMs))
          .else(now)
          .end(),
      }))
      .executeTakeFirst();
    count += result.numUpdatedRows;
  }
  return Number(count);
}

/** Makes rows due whose due time exceeds the scheduling limit: a fast clock wrote them. @returns the number of rows */
export async function capDueTimes(db: Db, now: number): Promise<number> {
  let count = 0n;
  for (const due of DUE_TIMES) {
    const result = await rowsOf(db, due, now + due.maxAheadMs)
      .set({ [due.column]: now })
      .executeTakeFirst();
    count += result.numUpdatedRows;
  }
  for (const table of LEASED_TABLES) {
    const result = await db
      .updateTable(table as 'jobs')
      .set({ leased_until: 0, lease_owner: null })
      .where('leased_until', '>', now + MAX_LEASE_MS)
      .executeTakeFirst();
    count += result.numUpdatedRows;
  }
  return Number(count);
}

/** A statement is typed for one of the tables; the column exists in the other. */
function rowsOf(db: Db, { table, column, kind, exceptKind }: DueTime, after: number) {
  return db
    .updateTable(table as 'jobs')
    .where(column as 'run_at', '>', after)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as string))
    .$if(exceptKind !== undefined, (query) => query.where('kind', '!=', exceptKind as string));
}
