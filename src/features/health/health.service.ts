import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/schema.ts';

export interface Health {
  status: 'healthy' | 'degraded' | 'unhealthy';
  database: 'ok' | 'unavailable';
  /** Without Redis the cache in the process answers for it. */
  redis: 'ok';
  cache: 'memory';
  version: string;
  /** Spans that wait for the disk. */
  queue_depth: number;
}

export interface HealthService {
  check(): Promise<Health>;
}

export function createHealthService(options: {
  db: Kysely<Database>;
  version: string;
  queueDepth(): number;
  maxQueueDepth: number;
}): HealthService {
  async function isDatabaseUp(): Promise<boolean> {
    try {
      await sql`select 1`.execute(options.db);
      return true;
    } catch {
      return false;
    }
  }

  return {
    async check() {
      const isUp = await isDatabaseUp();
      const depth = options.queueDepth();
      const isFull = depth >= options.maxQueueDepth;
      return {
        status: isUp ? (isFull ? 'degraded' : 'healthy') : 'unhealthy',
        database: isUp ? 'ok' : 'unavailable',
        redis: 'ok',
        cache: 'memory',
        version: options.version,
        queue_depth: depth,
      };
    },
  };
}
