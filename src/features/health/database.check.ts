import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/schema.ts';
import { HEALTHY, type HealthCheck } from './health-check.ts';

/** Whether the database answers a query. */
export function databaseCheck(db: Kysely<Database>): HealthCheck {
  return {
    name: 'database',
    async check() {
      await sql`select 1`.execute(db);
      return HEALTHY;
    },
  };
}
