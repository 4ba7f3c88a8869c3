import { Gauge, type Registry } from 'prom-client';
import type { Services } from '../../features/services.ts';

const STATES = ['ok', 'degraded', 'unavailable'] as const;

/** One series per component and state; the current state has the value 1. The checks run at each scrape. */
export function watchHealth(registry: Registry, { health }: Pick<Services, 'health'>): void {
  new Gauge({
    name: 'misstep_component_state',
    help: 'State of each component that readiness depends on: 1 for the current state, 0 for the others',
    labelNames: ['component', 'state'],
    registers: [registry],
    async collect() {
      const { components } = await health.check();
      for (const [component, current] of Object.entries(components))
        for (const state of STATES) this.set({ component, state }, current.state === state ? 1 : 0);
    },
  });
}
