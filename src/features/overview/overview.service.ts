import type { Clock } from '../../core/clock.ts';
import type { JsonText } from '../../core/json-text.ts';
import type { CallOptions } from '../_kit/caller.ts';
import { newSince } from '../issues/issue.record.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import type { OverviewRecord } from './overview.record.ts';
import { overviewTask } from './overview.tasks.ts';

/** Counts for navigation: one response instead of a request for each list. */
export interface OverviewService {
  /** @param since Unix milliseconds of the last visit; null: a day ago */
  get(tenantId: string, since: number | null, callOptions?: CallOptions): Promise<JsonText<OverviewRecord>>;
}

export function createOverviewService(options: {
  clock: Clock;
  tasks: TaskRunner;
  tenantNoOf(tenantId: string): Promise<number>;
}): OverviewService {
  const { clock, tasks, tenantNoOf } = options;
  return {
    async get(tenantId, since, { signal } = {}) {
      const tenantNo = await tenantNoOf(tenantId);
      const at = clock.now();
      return tasks.start(overviewTask, { tenantNo, at, since: since ?? newSince(at) }, { tenantNo, signal });
    },
  };
}
