import { Counter, Gauge, Registry } from 'prom-client';
import type { MetricFamily } from '../features/metrics/metric-families.ts';

const PREFIX = 'misstep_';

/** Current metric values in a registry of their own, ready to be written. */
export function toRegistry(families: readonly MetricFamily[]): Registry {
  const registry = new Registry();
  for (const { name, help, kind, labelNames, samples } of families) {
    const options = { help, labelNames: [...labelNames], registers: [registry] };
    if (kind === 'counter') {
      const counter = new Counter({ ...options, name: `${PREFIX}${name}_total` });
      for (const { labels, value } of samples) counter.inc({ ...labels }, value);
    } else {
      const gauge = new Gauge({ ...options, name: PREFIX + name });
      for (const { labels, value } of samples) gauge.set({ ...labels }, value);
    }
  }
  return registry;
}
