import type { Insertable } from 'kysely';
import { BulkStatement } from './bulk-statement.ts';
import type { Db } from './connection.ts';
import type { SpanChunkTable } from './schema.ts';
import type { SpanChunk } from './span-chunk.ts';

export interface ChunkWrite {
  tenantNo: number;
  traceId: string;
  sequence: number;
  chunk: SpanChunk;
}

type NewChunk = Insertable<SpanChunkTable>;

const INSERT_CHUNKS = new BulkStatement<NewChunk, Pick<SpanChunkTable, 'sequence' | 'first_sequence'>>({
  columns: ['tenant_no', 'trace_id', 'sequence', 'first_sequence', 'content_hash', 'span_count', 'data'],
  build: (db, rows) =>
    db
      .insertInto('span_chunks')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'trace_id', 'content_hash']).doUpdateSet({
          sequence: (update) => update.ref('excluded.sequence'),
        }),
      )
      .returning(['sequence', 'first_sequence'])
      .compile(),
});

/**
 * Stores chunks; existing content only moves to the end of the arrival order.
 * @returns sequences of the writes whose content was new
 */
export async function insertChunks(db: Db, writes: readonly ChunkWrite[]): Promise<Set<number>> {
  const rows = await INSERT_CHUNKS.run(db, [...lastByContent(writes).values()].map(toRow));
  return new Set(rows.filter((row) => row.sequence === row.first_sequence).map((row) => row.sequence));
}

/** A statement may not touch one row twice. */
function lastByContent(writes: readonly ChunkWrite[]): Map<string, ChunkWrite> {
  return new Map(
    writes.map((write) => [`${write.tenantNo} ${write.traceId} ${write.chunk.contentHash.toString('latin1')}`, write]),
  );
}

function toRow({ tenantNo, traceId, sequence, chunk }: ChunkWrite): NewChunk {
  return {
    tenant_no: tenantNo,
    trace_id: traceId,
    sequence,
    first_sequence: sequence,
    content_hash: chunk.contentHash,
    span_count: chunk.spanCount,
    data: chunk.data,
  };
}

/** A trace's chunks in order of arrival; a later span takes precedence over an earlier one with the same id. */
export async function readChunks(db: Db, tenantNo: number, traceId: string): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('span_chunks')
    .select('data')
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '=', traceId)
    .orderBy('sequence')
    .execute();
  return rows.map((row) => row.data);
}

/** Chunks of several traces of a tenant, each trace's in order of arrival. */
export async function readChunksOfTraces(
  db: Db,
  tenantNo: number,
  traceIds: readonly string[],
): Promise<Map<string, Uint8Array[]>> {
  const rows = await db
    .selectFrom('span_chunks')
    .select(['trace_id', 'data'])
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', 'in', traceIds)
    .orderBy('sequence')
    .execute();
  const chunks = new Map<string, Uint8Array[]>(traceIds.map((traceId) => [traceId, []]));
  for (const row of rows) chunks.get(row.trace_id)?.push(row.data);
  return chunks;
}

/** Replaces all chunks up to its `sequence` by one chunk. */
export async function replaceChunks(db: Db, write: ChunkWrite): Promise<void> {
  await db
    .deleteFrom('span_chunks')
    .where('tenant_no', '=', write.tenantNo)
    .where('trace_id', '=', write.traceId)
    .where('sequence', '<=', write.sequence)
    .execute();
  await insertChunks(db, [write]);
}

const SEQUENCE = 'last_sequence';

/** Arrival order of the newest chunk; 0 in an empty store. */
export async function readNewestSequence(db: Db): Promise<number> {
  const row = await db.selectFrom('instance').select('value').where('name', '=', SEQUENCE).executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** Stored with the chunks, so that a clock that was set back does not reverse the order after a restart. */
export async function writeNewestSequence(db: Db, sequence: number): Promise<void> {
  await db
    .insertInto('instance')
    .values({ name: SEQUENCE, value: String(sequence) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(sequence) }))
    .execute();
}
