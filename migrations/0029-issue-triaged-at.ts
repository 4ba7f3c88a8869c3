import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

interface Tables {
  issues: { triaged_at: number | null; last_resolved_at: number | null; ignored_at: number | null };
}

/** When a person last set the status of an issue. Of issues that a person reopened before, it is not known. */
export async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('issues').addColumn('triaged_at', bigint).execute();
  await (db as Kysely<Tables>)
    .updateTable('issues')
    .set(({ fn, ref }) => ({ triaged_at: fn.coalesce(ref('ignored_at'), ref('last_resolved_at')) }))
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('issues').dropColumn('triaged_at').execute();
}
