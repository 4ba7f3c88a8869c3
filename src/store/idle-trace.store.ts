import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from './connection.ts';
import type { Database, TraceTable } from './schema.ts';

/** Running traces whose analysis is complete and that did not change since `before`, or since a time later than `after`, if given. */
export function queryIdleTraces(
  db: Db,
  { before, after, limit }: { before: number; after: number | null; limit: number },
): SelectQueryBuilder<Database, 'traces', Pick<TraceTable, 'tenant_no' | 'trace_id'>> {
  return (
    db
      .selectFrom('traces')
      .select(['tenant_no', 'trace_id'])
      // A literal and not bound: the query uses the partial index only then.
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
