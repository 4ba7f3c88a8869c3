import type { ExecutorState } from '../analysis/executor.ts';
import { HEALTHY, type HealthCheck } from './health-check.ts';

/** Whether traces are analyzed, or wait because no worker thread can start. */
export function analysisWorkersCheck(executor: { readonly state: ExecutorState }): HealthCheck {
  return {
    name: 'analysis_workers',
    check: () =>
      executor.state.isAvailable
        ? HEALTHY
        : {
            state: 'unavailable',
            detail: 'No analysis worker can start (memory, threads or file descriptors): traces wait to be analyzed.',
          },
  };
}
