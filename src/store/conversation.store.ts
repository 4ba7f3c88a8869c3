import type { Db } from './connection.ts';
import type { ConversationTable } from './schema.ts';

/** Writes the row of a trace: an existing one keeps its id and its first-seen time. @returns its id */
export async function saveConversation(db: Db, row: ConversationTable): Promise<string> {
  const { framework, format, participants, turn_count, total_tokens, started_at, ended_at } = row;
  const hash = row.content_hash === null ? {} : { content_hash: row.content_hash };
  const saved = await db
    .insertInto('conversations')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_no', 'trace_id'])
        .doUpdateSet({ framework, format, participants, turn_count, total_tokens, started_at, ended_at, ...hash }),
    )
    .returning('conversation_id')
    .executeTakeFirstOrThrow();
  return saved.conversation_id;
}

export async function readConversation(
  db: Db,
  tenantNo: number,
  conversationId: string,
): Promise<ConversationTable | null> {
  const row = await db
    .selectFrom('conversations')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst();
  return row ?? null;
}

export async function readConversationOfTrace(
  db: Db,
  tenantNo: number,
  traceId: string,
): Promise<ConversationTable | null> {
  const row = await db
    .selectFrom('conversations')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '=', traceId)
    .executeTakeFirst();
  return row ?? null;
}

export interface ConversationFilter {
  format: string | null;
  framework: string | null;
  /** Unix milliseconds; from inclusive, to exclusive. */
  from: number | null;
  to: number | null;
}

/** Newest first; ties by id. */
export interface ConversationPosition {
  startedAt: number;
  conversationId: string;
}

export function listConversations(
  db: Db,
  tenantNo: number,
  filter: ConversationFilter,
  range: { after: ConversationPosition | null; offset: number; limit: number },
): Promise<ConversationTable[]> {
  let query = filtered(db, tenantNo, filter)
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('conversation_id', 'desc');
  const { after } = range;
  if (after) {
    query = query.where((where) =>
      where(where.refTuple('started_at', 'conversation_id'), '<', where.tuple(after.startedAt, after.conversationId)),
    );
  }
  return query.offset(range.offset).limit(range.limit).execute();
}

export async function countConversations(db: Db, tenantNo: number, filter: ConversationFilter): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, { format, framework, from, to }: ConversationFilter) {
  let query = db.selectFrom('conversations').where('tenant_no', '=', tenantNo);
  if (format !== null) query = query.where('format', '=', format);
  if (framework !== null) query = query.where('framework', '=', framework);
  if (from !== null) query = query.where('started_at', '>=', from);
  if (to !== null) query = query.where('started_at', '<', to);
  return query;
}
