import { createServer, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { listenLocally } from './local-server.ts';

export const DATADOG_KEY = 'datadog-key-of-the-tests';

const TYPES = { unspecified: 0, count: 1, rate: 2, gauge: 3 } as const;
/** The body in the API's description, without unknown members. */
export const seriesBody = z.strictObject({
  series: z
    .array(
      z
        .strictObject({
          metric: z.string().regex(/^[a-zA-Z][a-zA-Z0-9_.]{0,199}$/),
          type: z.enum(TYPES),
          interval: z.int().positive().optional(),
          points: z.array(z.strictObject({ timestamp: z.int(), value: z.number() })).min(1),
          tags: z.array(z.string().regex(/^[a-z][a-z0-9_:./-]{0,199}$/)).optional(),
          resources: z.array(z.strictObject({ type: z.string().min(1), name: z.string().min(1) })).optional(),
          source_type_name: z.string().optional(),
          unit: z.string().optional(),
        })
        .refine(({ type, interval }) => type === TYPES.gauge || interval !== undefined, 'a count needs its interval'),
    )
    .min(1),
});
const MAX_PACKED = 512_000;
const MAX_UNPACKED = 5_242_880;
const HOUR_SECONDS = 3_600;

/** What happens to the next request: accepted, accepted with the connection closed before the response, or rejected. */
export type Next = 'accept' | 'cut' | { status: number; headers?: Record<string, string> };

export interface DatadogServer {
  url: string;
  /** Outcomes of the next requests, in order; later requests are accepted. */
  next: Next[];
  requests: { bytes: number; series: number }[];
  /** Sum of a metric over all its points: one of the same series and second replaces the one before. */
  total(metric: string, tag?: string): number;
  close(): Promise<void>;
}

/** @param limits smaller ones than the API's make a 413 */
export async function startDatadogServer(
  nowSeconds: () => number,
  limits = { packed: MAX_PACKED, unpacked: MAX_UNPACKED },
): Promise<DatadogServer> {
  const points = new Map<string, { metric: string; tags: readonly string[]; value: number }>();
  const next: Next[] = [];
  const requests: DatadogServer['requests'] = [];
  const answer = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const packed = Buffer.concat(chunks);
    if (request.method !== 'POST' || request.url !== '/api/v2/series')
      return answer(response, 404, { errors: ['path'] });
    if (request.headers['dd-api-key'] !== DATADOG_KEY) return answer(response, 403, { errors: ['Forbidden'] });
    const how = next.shift() ?? 'accept';
    if (typeof how === 'object') return answer(response, how.status, { errors: ['asked for'] }, how.headers);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(packed) : packed;
    if (packed.length > limits.packed || body.length > limits.unpacked)
      return answer(response, 413, { errors: ['Payload too large'] });
    const parsed = seriesBody.safeParse(JSON.parse(body.toString()));
    if (!parsed.success) return answer(response, 400, { errors: [parsed.error.message] });
    requests.push({ bytes: body.length, series: parsed.data.series.length });
    for (const { metric, tags = [], points: given } of parsed.data.series) {
      for (const { timestamp, value } of given) {
        const age = nowSeconds() - timestamp;
        if (age > HOUR_SECONDS || age < -600) continue;
        points.set(`${metric} ${tags.toSorted()} ${timestamp}`, { metric, tags, value });
      }
    }
    if (how === 'cut') return request.socket.destroy();
    return answer(response, 202, { errors: [] });
  });
  return {
    ...(await listenLocally(server)),
    next,
    requests,
    total: (metric, tag) =>
      [...points.values()]
        .filter((point) => point.metric === metric && (tag === undefined || point.tags.includes(tag)))
        .reduce((sum, point) => sum + point.value, 0),
  };
}
