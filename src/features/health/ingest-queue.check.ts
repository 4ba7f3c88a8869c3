import { HEALTHY, type HealthCheck } from './health-check.ts';

/** Whether new spans are taken, or refused because too many wait for the disk. */
export function ingestQueueCheck(queue: { depth(): number; limit: number }): HealthCheck {
  return {
    name: 'ingest_queue',
    check: () =>
      queue.depth() < queue.limit
        ? HEALTHY
        : { state: 'degraded', detail: 'The ingest queue is full: new spans get 503 until it is shorter.' },
  };
}
