import type { JsonText } from '../../core/json-text.ts';
import type { Caller } from '../_kit/caller.ts';
import type { OffloadTask } from '../offload/task.ts';
import type { TaskRunner } from '../offload/task-runner.ts';

/** Checks of texts of requests, on worker threads. */
export interface TextChecks {
  /** @throws AppError `invalid_body` if the text takes longer than twenty seconds */
  run<Input, Output>(
    task: OffloadTask<Input, Output>,
    input: Input,
    options: { caller: Caller; signal?: AbortSignal },
  ): Promise<JsonText<Output>>;
}

/** The operator's checks count as those of a tenant of its own. */
const OPERATOR_TENANT_NO = 0;

export function createTextChecks(options: {
  tasks: TaskRunner;
  tenantNoOf(tenantId: string): Promise<number>;
}): TextChecks {
  return {
    async run(task, input, { caller: { tenantId }, signal }) {
      const tenantNo = tenantId === null ? OPERATOR_TENANT_NO : await options.tenantNoOf(tenantId);
      return options.tasks.start(task, input, { tenantNo, signal });
    },
  };
}
