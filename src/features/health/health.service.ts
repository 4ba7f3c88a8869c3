import type { z } from 'zod';
import type { healthResponse } from './health.schema.ts';
import type { ComponentHealth, ComponentState, HealthCheck } from './health-check.ts';

export type Health = z.infer<typeof healthResponse>;

export interface HealthService {
  check(): Promise<Health>;
}

const STATUS_OF: Record<ComponentState, Health['status']> = {
  ok: 'healthy',
  degraded: 'degraded',
  unavailable: 'unhealthy',
};

/** @param options.checks one of them is called `database` */
export function createHealthService(options: {
  checks: readonly HealthCheck[];
  version: string;
  queueDepth(): number;
}): HealthService {
  return {
    async check() {
      const entries = await Promise.all(options.checks.map(async (one) => [one.name, await runCheck(one)] as const));
      const components = Object.fromEntries(entries);
      return {
        status: STATUS_OF[worst(entries.map(([, { state }]) => state))],
        database: (components.database?.state ?? 'unavailable') === 'unavailable' ? 'unavailable' : 'ok',
        redis: 'ok',
        cache: 'memory',
        version: options.version,
        queue_depth: options.queueDepth(),
        components,
      };
    },
  };
}

async function runCheck({ name, check }: HealthCheck): Promise<ComponentHealth> {
  try {
    return await check();
  } catch {
    return { state: 'unavailable', detail: `The check of ${name} failed.` };
  }
}

function worst(states: readonly ComponentState[]): ComponentState {
  return states.find((state) => state === 'unavailable') ?? states.find((state) => state === 'degraded') ?? 'ok';
}
