import { HEALTHY, type HealthCheck } from './health-check.ts';

/** Work that has waited this long was accepted by an outdated estimate. */
const MAX_AGE_MS = 5_000;

/** Whether new spans are accepted, or rejected because too many wait for the disk or for a worker. */
export function ingestQueueCheck(queue: { depth(): number; ageMs(): number; limit: number }): HealthCheck {
  return {
    name: 'ingest_queue',
    check: () =>
      queue.depth() < queue.limit && queue.ageMs() < MAX_AGE_MS
        ? HEALTHY
        : { state: 'degraded', detail: 'The ingest queue is full: new spans get 503 until it is shorter.' },
  };
}
