import type { JsonObject } from '../../core/json.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { decodeWorkflow } from '../../formats/n8n/decode-workflow.ts';
import { idOf, textOrNull } from '../../formats/n8n/json-fields.ts';
import { readN8nPage } from '../../platforms/n8n/n8n-page.ts';
import { analyzeSpans } from '../analysis/analyze-spans.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import { defineTask } from '../offload/task.ts';
import type { DiscoveredWorkflow } from './discovery.record.ts';

export type InspectedWorkflow = Omit<DiscoveredWorkflow, 'instance_id' | 'registration_id'>;

/** A page of workflows, without archived ones. */
export interface InspectedPage {
  workflows: InspectedWorkflow[];
  /** Items of the page, archived ones included. */
  itemCount: number;
  /** Cursor of the next page; null after the last. */
  cursor: string | null;
}

/** Reads a raw page of n8n's public API, and inspects the design of each workflow. */
export const inspectWorkflowsTask = defineTask<InspectedPage>()<{ body: Uint8Array; tenant: TenantDetection }>({
  name: 'workflows.inspect',
  kind: 'read',
  *run({ models }, { body, tenant }) {
    const { items, cursor } = readN8nPage(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    const workflows = items.flatMap((workflow) => inspected(workflow, models, tenant) ?? []);
    yield JSON.stringify({ workflows, itemCount: items.length, cursor } satisfies InspectedPage);
  },
});

function inspected(workflow: JsonObject, models: ModelCatalog, tenant: TenantDetection): InspectedWorkflow | null {
  const id = idOf(workflow.id);
  if (id === null || workflow.isArchived === true) return null;
  return {
    external_id: id,
    name: textOrNull(workflow.name) ?? `workflow ${id}`,
    active: workflow.active === true,
    node_count: Array.isArray(workflow.nodes) ? workflow.nodes.length : 0,
    findings: designDetectionsOf(workflow, models, tenant),
  };
}

function designDetectionsOf(
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
