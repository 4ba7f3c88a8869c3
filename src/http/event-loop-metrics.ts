import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

type Delays = ReturnType<typeof monitorEventLoopDelay>;

/** Names and help texts are those of prom-client; Node's histogram is in nanoseconds. */
const FIGURES: readonly [name: string, help: string, of: (delays: Delays) => number][] = [
  ['min', 'The minimum recorded event loop delay.', (delays) => delays.min],
  ['max', 'The maximum recorded event loop delay.', (delays) => delays.max],
  ['mean', 'The mean of the recorded event loop delays.', (delays) => delays.mean],
  ['stddev', 'The standard deviation of the recorded event loop delays.', (delays) => delays.stddev],
  ['p50', 'The 50th percentile of the recorded event loop delays.', (delays) => delays.percentile(50)],
  ['p90', 'The 90th percentile of the recorded event loop delays.', (delays) => delays.percentile(90)],
  ['p99', 'The 99th percentile of the recorded event loop delays.', (delays) => delays.percentile(99)],
];

const RESOLUTION_MS = 10;

/**
 * Event loop delays since the last read of the metrics. Nothing is measured before the first read, because measuring
 * wakes the process a hundred times a second; until then the metrics are NaN.
 */
export function collectEventLoopDelays(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const gauges = FIGURES.map(([name, help], index) => {
    const options = { name: nameOf(name), help, registers: [registry] };
    return new Gauge(index === 0 ? { ...options, collect: () => readAll() } : options);
  });
  function readAll(): void {
    for (const [index, [, , of]] of FIGURES.entries())
      gauges[index]?.set(delays.count === 0 ? Number.NaN : of(delays) / 1e9);
    delays.reset();
    delays.enable();
  }
}

export function eventLoopDelayNames(): string[] {
  return FIGURES.map(([name]) => nameOf(name));
}

function nameOf(figure: string): string {
  return `nodejs_eventloop_lag_${figure}_seconds`;
}
