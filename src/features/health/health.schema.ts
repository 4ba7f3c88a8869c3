import { z } from 'zod';

const componentHealth = z
  .object({
    state: z.enum(['ok', 'degraded', 'unavailable']),
    detail: z.string().nullable().describe('Description of the problem; null if the state is ok'),
  })
  .meta({ id: 'ComponentHealth' });

/** Response of `GET /health`. */
export const healthResponse = z
  .object({
    status: z.enum(['healthy', 'degraded', 'unhealthy']),
    database: z.enum(['ok', 'unavailable']),
    redis: z.literal('ok').describe('The in-process cache that replaces Redis'),
    cache: z.literal('memory'),
    version: z.string(),
    queue_depth: z.int().describe('Spans that wait for the disk'),
    components: z
      .record(z.string(), componentHealth)
      .describe('Every component that the service depends on; /readyz is 503 while one is unavailable'),
  })
  .meta({ id: 'Health' });
