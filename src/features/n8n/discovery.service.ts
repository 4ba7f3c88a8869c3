import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { N8nAccess, N8nClient } from '../../platforms/n8n/n8n-client.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import { listRegistrations } from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import type { DiscoveredWorkflow } from './discovery.record.ts';
import { type InspectedWorkflow, inspectWorkflowsTask } from './discovery.tasks.ts';
import { n8nInstance, n8nWorkflow } from './n8n.source.ts';
import type { N8nInstances } from './n8n-instances.ts';

export interface DiscoveryService {
  /**
   * Workflows of one or all instances, with their design problems. An unreachable instance affects
   * only itself. @throws AppError `not_found`, `conflict` if none is registered
   */
  discover(tenantId: string, instanceId: string | null): Promise<Discovery>;
}

export interface Discovery {
  items: DiscoveredWorkflow[];
  /** Whether there are more. */
  isCut: boolean;
  problems: { instance_id: string; message: string }[];
}

interface CallOptions {
  /** Remaining number of workflows. */
  limit: number;
  tenantNo: number;
  tenant: TenantDetection;
}

interface ReadWorkflows {
  found: InspectedWorkflow[];
  isCut: boolean;
}

/** Maximum workflows in one response. */
const MAX_WORKFLOWS = 2_000;
const ALL = { after: null, offset: 0, limit: 5_000 };
const INTEGRATION = 'flowplatform';

export function createDiscoveryService(options: {
  db: Kysely<Database>;
  client: N8nClient;
  instances: N8nInstances;
  tasks: TaskRunner;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  tenantNoOf(tenantId: string): Promise<number>;
}): DiscoveryService {
  const { db, client, instances, tasks } = options;

  async function chosen(tenantId: string, instanceId: string | null): Promise<RegistrationTable[]> {
    if (instanceId !== null) return [await instances.find(tenantId, instanceId)];
    const filter = { integration: INTEGRATION, kind: n8nInstance.name };
    const all = await listRegistrations(db, await options.tenantNoOf(tenantId), filter, ALL);
    if (all.length === 0)
      throw new AppError(
        'conflict',
        'No n8n instance is registered. Register one with `misstep integrations add n8n instance`.',
      );
    return all;
  }

  async function workflowsOf(access: N8nAccess, { limit, tenantNo, tenant }: CallOptions): Promise<ReadWorkflows> {
    const found: InspectedWorkflow[] = [];
    let readCount = 0;
    for (let cursor: string | null = null; ; ) {
      const body = await client.workflows(access, cursor);
      const page = await (await tasks.start(inspectWorkflowsTask, { body, tenant }, { tenantNo })).value();
      found.push(...page.workflows);
      readCount += page.itemCount;
      if (readCount > limit) return { found: found.slice(0, limit), isCut: true };
      if (page.cursor === null) return { found, isCut: false };
      cursor = page.cursor;
    }
  }

  async function readOrReport(instance: RegistrationTable, callOptions: CallOptions): Promise<ReadWorkflows | string> {
    try {
      return await workflowsOf(instances.accessOf(instance), callOptions);
    } catch (error) {
      if (error instanceof AppError) return error.message;
      throw error;
    }
  }

  return {
    async discover(tenantId, instanceId) {
      const tenantNo = await options.tenantNoOf(tenantId);
      const tenant = await options.detectionOf(tenantNo);
      const kind = { integration: INTEGRATION, kind: n8nWorkflow.name };
      const registered = await listRegistrations(db, tenantNo, kind, ALL);
      const items: DiscoveredWorkflow[] = [];
      const problems: Discovery['problems'] = [];
      let isCut = false;
      for (const instance of await chosen(tenantId, instanceId)) {
        const read = await readOrReport(instance, { limit: MAX_WORKFLOWS - items.length, tenantNo, tenant });
        if (typeof read === 'string') {
          problems.push({ instance_id: instance.registration_id, message: read });
          continue;
        }
        isCut ||= read.isCut;
        for (const workflow of read.found) {
          const known = registered.find(
            ({ external_id, parent_id }) =>
              external_id === workflow.external_id && (parent_id === null || parent_id === instance.registration_id),
          );
          items.push({
            ...workflow,
            instance_id: instance.registration_id,
            registration_id: known?.registration_id ?? null,
          });
        }
      }
      return { items, isCut, problems };
    },
  };
}
