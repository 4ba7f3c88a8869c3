import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { decodeWorkflow } from '../../formats/n8n/decode-workflow.ts';
import { idOf, textOrNull } from '../../formats/n8n/json-fields.ts';
import type { N8nAccess, N8nClient } from '../../platforms/n8n/n8n-client.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import { listRegistrations } from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import { analyzeSpans } from '../analysis/analyze-spans.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import type { DiscoveredWorkflow } from './discovery.record.ts';
import { n8nInstance, n8nWorkflow } from './flowplatform.source.ts';
import type { N8nInstances } from './n8n-instances.ts';

export interface DiscoveryService {
  /**
   * Workflows of an instance, or of all, with what is wrong with their drawing. An instance that cannot be asked costs
   * only itself. @throws AppError `not_found`, `conflict` where none is registered
   */
  discover(tenantId: string, instanceId: string | null): Promise<Discovery>;
}

export interface Discovery {
  items: DiscoveredWorkflow[];
  /** There are more. */
  isCut: boolean;
  problems: { instance_id: string; message: string }[];
}

/** Of one answer. */
const MAX_WORKFLOWS = 2_000;
const ALL = { after: null, offset: 0, limit: 5_000 };
const INTEGRATION = 'flowplatform';

export function createDiscoveryService(options: {
  db: Kysely<Database>;
  client: N8nClient;
  instances: N8nInstances;
  models: ModelCatalog;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  tenantNoOf(tenantId: string): Promise<number>;
}): DiscoveryService {
  const { db, client, instances, models } = options;

  async function chosen(tenantId: string, instanceId: string | null): Promise<RegistrationTable[]> {
    if (instanceId !== null) return [await instances.find(tenantId, instanceId)];
    const filter = { integration: INTEGRATION, kind: n8nInstance.name };
    const all = await listRegistrations(db, await options.tenantNoOf(tenantId), filter, ALL);
    if (all.length === 0)
      throw new AppError('conflict', 'No n8n is registered; POST /flowplatform/instances makes one.');
    return all;
  }

  async function workflowsOf(access: N8nAccess, room: number): Promise<{ found: JsonObject[]; isCut: boolean }> {
    const found: JsonObject[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await client.workflows(access, cursor);
      found.push(...page.items);
      if (found.length > room) return { found: found.slice(0, room), isCut: true };
      if (page.cursor === null) return { found, isCut: false };
      cursor = page.cursor;
    }
  }

  async function readOrTell(instance: RegistrationTable, room: number) {
    try {
      return await workflowsOf(instances.accessOf(instance), room);
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
        const read = await readOrTell(instance, MAX_WORKFLOWS - items.length);
        if (typeof read === 'string') {
          problems.push({ instance_id: instance.registration_id, message: read });
          continue;
        }
        isCut ||= read.isCut;
        for (const workflow of read.found) {
          const id = idOf(workflow.id);
          if (id === null || workflow.isArchived === true) continue;
          const twin = registered.find(
            (row) => row.external_id === id && (row.parent_id === null || row.parent_id === instance.registration_id),
          );
          items.push({
            external_id: id,
            instance_id: instance.registration_id,
            name: textOrNull(workflow.name) ?? `workflow ${id}`,
            active: workflow.active === true,
            node_count: Array.isArray(workflow.nodes) ? workflow.nodes.length : 0,
            registration_id: twin?.registration_id ?? null,
            findings: findingsOf(workflow, models, tenant),
          });
        }
      }
      return { items, isCut, problems };
    },
  };
}

function findingsOf(
  workflow: JsonObject,
  models: ModelCatalog,
  tenant: TenantDetection,
): DiscoveredWorkflow['findings'] {
  const spans = decodeWorkflow(workflow);
  if (spans === null) return [];
  const { result } = analyzeSpans(spans, { isSettled: true, models, tenant });
  return result.detections
    .filter(({ type, severity }) => type === 'workflow_design' && severity !== 'observation')
    .map(({ subtype, title, severity, confidence, explanation, suggestedAction }) => ({
      subtype,
      title,
      severity,
      confidence,
      explanation,
      suggested_action: suggestedAction,
    }));
}
