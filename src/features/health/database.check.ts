import { sql } from 'kysely';
import type { StoreConnection } from '../../store/connection.ts';
import { HEALTHY, type HealthCheck } from './health-check.ts';

/** Whether the database answers a query and is not known to be damaged. */
export function databaseCheck({ db, state }: Pick<StoreConnection, 'db' | 'state'>): HealthCheck {
  return {
    name: 'database',
    async check() {
      if (state.fault !== null) return { state: 'unavailable', detail: state.fault.publicMessage };
      await sql`select 1`.execute(db);
      return HEALTHY;
    },
  };
}
