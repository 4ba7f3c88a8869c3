import { collectDefaultMetrics, type Registry } from 'prom-client';
import { collectEventLoopDelays, eventLoopDelayNames } from './event-loop-metrics.ts';

/** Gauges with names reserved for counters; the same values are exported under other names, by kind. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Longer than any server runs: prom-client measures delays from its start, and no setting disables that. */
const NEVER_MS = 2 ** 31 - 1;

/** Memory, CPU time and event loop of this process. */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const name of [...MISNAMED, ...eventLoopDelayNames()]) registry.removeSingleMetric(name);
  collectEventLoopDelays(registry);
}
