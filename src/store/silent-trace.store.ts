import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from './connection.ts';
import type { Database, TraceTable } from './schema.ts';

/** Running traces whose analysis is complete and that nothing changed since `before`, or since a time later than `after`, if one is given. */
export function querySilentTraces(
  db: Db,
  { before, after, limit }: { before: number; after: number | null; limit: number },
): SelectQueryBuilder<Database, 'traces', Pick<TraceTable, 'tenant_no' | 'trace_id'>> {
  return (
    db
      .selectFrom('traces')
      .select(['tenant_no', 'trace_id'])
      // Written out and not bound: only then does the query use the partial index.
      .where(sql<boolean>`status = 'running'`)
      .where((where) => {
        const isOld = where('updated_at', '<=', before);
        return after === null ? isOld : where.or([isOld, where('updated_at', '>=', after)]);
      })
      .whereRef('analyzed_version', '=', 'version')
      .where('given_up_at', 'is', null)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('jobs')
              .select('jobs.key')
              .whereRef('jobs.tenant_no', '=', 'traces.tenant_no')
              .where('jobs.kind', '=', 'settle')
              .whereRef('jobs.key', '=', 'traces.trace_id'),
          ),
        ),
      )
      .limit(limit)
  );
}
