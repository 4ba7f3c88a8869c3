import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { eventLoopDelayNames } from './event-loop-metrics.ts';
import { collectProcessMetrics } from './process-metrics.ts';

async function delaysIn(registry: Registry): Promise<Record<string, number>> {
  const metrics = await registry.getMetricsAsJSON();
  const delays = metrics.filter(({ name }) => eventLoopDelayNames().includes(name));
  return Object.fromEntries(delays.map(({ name, values }) => [name, values[0]?.value as number]));
}

it('measures delays from the first read on', async () => {
  const registry = new Registry();
  collectProcessMetrics(registry);
  const first = await delaysIn(registry);
  expect(Object.keys(first)).toEqual(eventLoopDelayNames());
  expect(Object.values(first)).toEqual(eventLoopDelayNames().map(() => Number.NaN));

  await vi.waitFor(async () => {
    const { nodejs_eventloop_lag_min_seconds: min, nodejs_eventloop_lag_max_seconds: max } = await delaysIn(registry);
    expect(min).toBeGreaterThan(0);
    expect(max).toBeGreaterThanOrEqual(min!);
  }, 10_000);
});
