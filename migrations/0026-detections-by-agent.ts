import type { Kysely } from 'kysely';
import { index } from './tenant-table.ts';

/** Lists and counts the detections of one agent without a read of the whole table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await index(db, 'detections_by_agent', 'detections', ['tenant_no', 'agent_id', 'created_at', 'detection_id']);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('detections_by_agent').execute();
}
