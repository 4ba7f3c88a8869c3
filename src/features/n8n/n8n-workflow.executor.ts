import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import { canonicalJson, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Current, Executor, ExecutorScope } from '../../platforms/healing/executor.ts';
import { formatJson } from '../../platforms/healing/format-json.ts';
import { planJson } from '../../platforms/healing/http-json.executor.ts';
import { jsonPointer } from '../../platforms/healing/json-pointer.ts';
import type { N8nClient } from '../../platforms/n8n/n8n-client.ts';
import type { N8nInstances } from './n8n-instances.ts';

const target = z.strictObject({
  instance_id: z.string().max(100).describe('A registered instance of n8n'),
  workflow_id: z.string().min(1).max(128).describe('Its id in n8n'),
  pointer: jsonPointer,
});
type Target = z.output<typeof target>;

/** The parts of a workflow that n8n's API can change; the rest (times, versions, whether it is active) changes by itself. */
const MANAGED = ['name', 'nodes', 'connections', 'settings'] as const;

/** A workflow of a registered n8n instance, changed through its public API. n8n publishes the change if the workflow is active. */
export function createN8nWorkflowExecutor({
  client,
  instances,
}: {
  client: N8nClient;
  instances: N8nInstances;
}): Executor<Target> {
  async function read({ tenantId }: ExecutorScope, { instance_id, workflow_id }: Target): Promise<Current> {
    const access = instances.accessOf(await instances.find(tenantId, instance_id));
    const workflow = await client.workflow(access, workflow_id);
    if (workflow === null) throw new AppError('not_found', `The instance has no workflow ${workflow_id}.`);
    if (workflow.isArchived === true) throw new AppError('conflict', `The workflow ${workflow_id} is archived.`);
    return { content: formatJson(managed(workflow)), version: null };
  }

  return {
    name: 'n8n_workflow',
    target,
    describe: ({ instance_id, workflow_id, pointer }) =>
      `workflow ${workflow_id} of ${instance_id}${pointer && ` ${pointer}`}`,
    read,
    plan: ({ pointer }, content, changes) => planJson(content, pointer, changes),
    async write(scope, to, content, expected) {
      // n8n has no conditional write: a read just before it minimizes the time for a concurrent change.
      if ((await read(scope, to)).content !== expected.content)
        throw new AppError('conflict', 'The workflow was changed since it was read; nothing was written.');
      const access = instances.accessOf(await instances.find(scope.tenantId, to.instance_id));
      await client.replaceWorkflow(access, to.workflow_id, JSON.parse(content) as JsonObject);
    },
    isSame: (one, other) => normalizedContent(one) === normalizedContent(other),
  };
}

function managed(workflow: JsonObject): JsonObject {
  return Object.fromEntries(MANAGED.map((name) => [name, workflow[name] ?? {}]));
}

/** n8n may return members in another order. */
function normalizedContent(content: string): string {
  return canonicalJson(parseJson(content) ?? (null as Json));
}
