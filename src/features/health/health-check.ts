/** `degraded` still accepts requests; `unavailable` means that a load balancer should route elsewhere. */
export type ComponentState = 'ok' | 'degraded' | 'unavailable';

export interface ComponentHealth {
  state: ComponentState;
  /** One sentence for the operator if the state is not `ok`. It is public: no path, no tenant, no address. */
  detail: string | null;
}

/** One component that the service depends on. `app/open-app.ts` holds the list of them. */
export interface HealthCheck {
  /** Lowercase with underscores; the name in `components` and the label of `misstep_component_state`. */
  name: string;
  /** Must be cheap: load balancers call it every second. An exception counts as `unavailable`. */
  check(): ComponentHealth | Promise<ComponentHealth>;
}

export const HEALTHY: ComponentHealth = { state: 'ok', detail: null };
