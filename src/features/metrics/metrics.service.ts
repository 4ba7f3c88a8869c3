import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';
import { countOpenIssues, INSTANCE_NO, readFigures } from '../../store/figure.store.ts';
import type { Database } from '../../store/schema.ts';
import { type MetricFamily, toMetricFamilies } from './metric-families.ts';

export interface MetricsService {
  /** A tenant's figures, or with null the instance's; at most a second old. */
  families(tenantId: string | null): Promise<MetricFamily[]>;
}

const TTL_MS = 1_000;
const MAX_CACHED = 1_000;

export function createMetricsService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
}): MetricsService {
  const { db, clock } = options;
  const cache = new Map<number, { families: Promise<MetricFamily[]>; cachedAt: number }>();

  async function read(tenantNo: number): Promise<MetricFamily[]> {
    return toMetricFamilies(await readFigures(db, tenantNo), await countOpenIssues(db, tenantNo, clock.now()));
  }

  return {
    async families(tenantId) {
      const tenantNo = tenantId === null ? INSTANCE_NO : await options.tenantNoOf(tenantId);
      const cached = cache.get(tenantNo);
      if (cached && isWithin(cached.cachedAt, clock.now(), TTL_MS)) return cached.families;
      const families = read(tenantNo);
      // Open issues are counted at most once a second.
      cache.set(tenantNo, { families, cachedAt: clock.now() });
      families.catch(() => cache.delete(tenantNo));
      if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value as number);
      return families;
    },
  };
}
