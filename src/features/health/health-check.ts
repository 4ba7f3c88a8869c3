/** `degraded` still takes and answers requests; `unavailable` means that a balancer should send them elsewhere. */
export type ComponentState = 'ok' | 'degraded' | 'unavailable';

export interface ComponentHealth {
  state: ComponentState;
  /** One sentence for the operator where the state is not `ok`. Anyone can read it: no path, no tenant, no address. */
  detail: string | null;
}

/** One component that the service depends on. `app/open-app.ts` holds the list of them. */
export interface HealthCheck {
  /** Lowercase with underscores; the name in `components` and the label of `misstep_component_state`. */
  name: string;
  /** Must be cheap: balancers call it every second. What it throws counts as `unavailable`. */
  check(): ComponentHealth | Promise<ComponentHealth>;
}

export const HEALTHY: ComponentHealth = { state: 'ok', detail: null };
