import type { Db } from './connection.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A column that holds when something falls due. */
interface DueTime {
  table: string;
  column: string;
  /** Rows of this kind only, and rows of any other kind. */
  kind?: string;
  exceptKind?: string;
  /** Nothing is scheduled further ahead than this. */
  mostMs: number;
}

/** Every time that work waits for. Times that a user chose, such as the end of a key or of a snooze, are not among them. */
export const DUE_TIMES: readonly DueTime[] = [
  { table: 'jobs', column: 'run_at', kind: 'settle', mostMs: 5 * MINUTE },
  { table: 'jobs', column: 'run_at', exceptKind: 'settle', mostMs: 2 * HOUR },
  { table: 'outbox', column: 'deliver_after', mostMs: DAY },
  { table: 'alerts', column: 'release_at', mostMs: 2 * DAY },
  { table: 'alert_folds', column: 'closes_at', mostMs: 15 * MINUTE },
  { table: 'alert_deliveries', column: 'next_at', mostMs: DAY },
  { table: 'platform_syncs', column: 'run_at', mostMs: 2 * DAY },
];

/** Leases end with their owner; this is for those whose owner is not known. */
const LEASED_TABLES = ['jobs', 'import_jobs', 'operation_jobs', 'platform_syncs', 'alert_deliveries'];
const LONGEST_LEASE_MS = 10 * MINUTE;

/** The clock stepped backwards by `stepMs` to `now`: what was due in a while is due in the same while. @returns how many rows */
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

/** Makes due what is due later than anything can be scheduled: it was written by a clock that ran ahead. @returns how many rows */
export async function capDueTimes(db: Db, now: number): Promise<number> {
  let count = 0n;
  for (const due of DUE_TIMES) {
    const result = await rowsOf(db, due, now + due.mostMs)
      .set({ [due.column]: now })
      .executeTakeFirst();
    count += result.numUpdatedRows;
  }
  for (const table of LEASED_TABLES) {
    const result = await db
      .updateTable(table as 'jobs')
      .set({ leased_until: 0, lease_owner: null })
      .where('leased_until', '>', now + LONGEST_LEASE_MS)
      .executeTakeFirst();
    count += result.numUpdatedRows;
  }
  return Number(count);
}

/** A statement is typed for one of the tables; the column that it names is in the other. */
function rowsOf(db: Db, { table, column, kind, exceptKind }: DueTime, after: number) {
  return db
    .updateTable(table as 'jobs')
    .where(column as 'run_at', '>', after)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as string))
    .$if(exceptKind !== undefined, (query) => query.where('kind', '!=', exceptKind as string));
}
