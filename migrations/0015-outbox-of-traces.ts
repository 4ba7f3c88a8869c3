import type { Kysely } from 'kysely';
import { index } from './tenant-table.ts';

interface Outbox {
  outbox: { tenant_no: number; outbox_id: string; payload: string; trace_id: string | null };
}

/** Events say which trace they are about, so that they are found by it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outbox').addColumn('trace_id', 'text').execute();
  await nameTraces(db as Kysely<Outbox>);
  await index(db, 'outbox_by_trace', 'outbox', ['tenant_no', 'trace_id']);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('outbox_by_trace').execute();
  await db.schema.alterTable('outbox').dropColumn('trace_id').execute();
}

const EVENTS_A_READ = 500;

async function nameTraces(db: Kysely<Outbox>): Promise<void> {
  for (let last = { tenant_no: -1, outbox_id: '' }; ; ) {
    const events = await db
      .selectFrom('outbox')
      .select(['tenant_no', 'outbox_id', 'payload'])
      .where((where) =>
        where(where.refTuple('tenant_no', 'outbox_id'), '>', where.tuple(last.tenant_no, last.outbox_id)),
      )
      .orderBy('tenant_no')
      .orderBy('outbox_id')
      .limit(EVENTS_A_READ)
      .execute();
    for (const { tenant_no, outbox_id, payload } of events) {
      const { trace_id } = JSON.parse(payload) as { trace_id?: string };
      if (trace_id === undefined) continue;
      await db
        .updateTable('outbox')
        .set({ trace_id })
        .where('tenant_no', '=', tenant_no)
        .where('outbox_id', '=', outbox_id)
        .execute();
    }
    const lastOfPage = events.at(-1);
    if (events.length < EVENTS_A_READ || lastOfPage === undefined) return;
    last = lastOfPage;
  }
}
