import { Counter, Histogram, type Registry } from 'prom-client';
import type { HttpMiddleware } from './http-context.ts';

const BUCKETS_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

/** Counts and times requests by route, never by path: paths contain unbounded ids. */
export function httpMetrics(registry: Registry | undefined): HttpMiddleware {
  if (!registry) return (_ctx, next) => next();
  const registers = [registry];
  const requests = new Counter({
    name: 'misstep_http_requests_total',
    help: 'Requests answered',
    labelNames: ['route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'misstep_http_request_duration_seconds',
    help: 'Time until the response was ready',
    labelNames: ['route'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const route = ctx.state.route ?? 'none';
    requests.inc({ route, status: ctx.status });
    seconds.observe({ route }, (performance.now() - startedAt) / 1000);
  };
}
