import type { TaskRunner } from '../offload/task-runner.ts';
import { HEALTHY, type HealthCheck } from './health-check.ts';

/** Whether long reads and checks are served, or rejected because no worker thread can start. */
export function readWorkersCheck(tasks: Pick<TaskRunner, 'isAvailable'>): HealthCheck {
  return {
    name: 'read_workers',
    check: () =>
      tasks.isAvailable
        ? HEALTHY
        : {
            state: 'degraded',
            detail: 'No read worker can start (memory, threads or file descriptors): traces and checks get 503.',
          },
  };
}
