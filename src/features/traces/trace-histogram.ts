import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { BucketCount } from '../../store/trace-facet.store.ts';

export const traceHistogramRecord = z
  .object({
    step_ms: z.number().int().describe('Length of a bucket; buckets begin at whole multiples of it since 1970'),
    total: z.number().int(),
    buckets: z
      .array(
        z.object({
          start: z.string(),
          running: z.number().int(),
          ok: z.number().int(),
          error: z.number().int(),
        }),
      )
      .describe('In order of time and without gaps; empty if no trace matches'),
  })
  .meta({ id: 'TraceHistogram' });
export type TraceHistogramRecord = z.input<typeof traceHistogramRecord>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 5, 10, 30].map((seconds) => seconds * SECOND),
  ...[1, 5, 10, 30].map((minutes) => minutes * MINUTE),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];

/** The shortest round step with which `from` to `to` takes at most `maxBuckets` buckets. */
export function stepOf(from: number, to: number, maxBuckets: number): number {
  const needs = (step: number) => Math.floor(to / step) - Math.floor(from / step) + 1;
  let step = STEPS.find((each) => needs(each) <= maxBuckets) ?? STEPS.at(-1)!;
  while (needs(step) > maxBuckets) step *= 2;
  return step;
}

export function histogramOf(
  counts: readonly BucketCount[],
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
): TraceHistogramRecord {
  const first = Math.floor(from / stepMs);
  const buckets = Array.from({ length: Math.floor(to / stepMs) - first + 1 }, (_, at) => ({
    start: toRfc3339((first + at) * stepMs),
    running: 0,
    ok: 0,
    error: 0,
  }));
  let total = 0;
  for (const { bucket, status, count } of counts) {
    const place = buckets[bucket - first];
    if (place === undefined) continue;
    place[status as 'running' | 'ok' | 'error'] += count;
    total += count;
  }
  return { step_ms: stepMs, total, buckets };
}
