import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

interface Tables {
  issues: {
    status: string;
    last_seen_at: number;
    muted_at: number | null;
    snoozed_until: number | null;
    ignored_at: number | null;
    ignored_until: number | null;
  };
}

const TEXTS = ['resolved_by'] as const;
const TIMES = ['regressed_at', 'ignored_at', 'ignored_until'] as const;

/** People resolve and ignore issues; a muted or snoozed issue becomes an ignored one. */
export async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  for (const column of TEXTS) await db.schema.alterTable('issues').addColumn(column, 'text').execute();
  for (const column of TIMES) await db.schema.alterTable('issues').addColumn(column, bigint).execute();
  await db.schema.alterTable('issues').addColumn('ignored_runs_left', 'integer').execute();
  const issues = () => (db as Kysely<Tables>).updateTable('issues').where('status', '=', 'open');
  await issues()
    .set((row) => ({ status: 'ignored', ignored_at: row.ref('last_seen_at'), ignored_until: row.ref('snoozed_until') }))
    .where('snoozed_until', 'is not', null)
    .execute();
  await issues()
    .set((row) => ({ status: 'ignored', ignored_at: row.ref('muted_at') }))
    .where('muted_at', 'is not', null)
    .execute();
  for (const column of ['muted_at', 'snoozed_until']) await db.schema.alterTable('issues').dropColumn(column).execute();
}

export async function down(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  for (const column of ['muted_at', 'snoozed_until'])
    await db.schema.alterTable('issues').addColumn(column, bigint).execute();
  const issues = () => (db as Kysely<Tables>).updateTable('issues').where('status', '=', 'ignored');
  await issues()
    .set((row) => ({ status: 'open', snoozed_until: row.ref('ignored_until') }))
    .where('ignored_until', 'is not', null)
    .execute();
  await issues()
    .set((row) => ({ status: 'open', muted_at: row.ref('ignored_at') }))
    .where('ignored_at', 'is not', null)
    .execute();
  for (const column of [...TEXTS, ...TIMES, 'ignored_runs_left'])
    await db.schema.alterTable('issues').dropColumn(column).execute();
}
