import type { Span } from '../../src/core/span.ts';
import { demoSpans } from '../../src/features/demo/demo-spans.ts';
import { encodeSpanLine } from '../../src/formats/misstep/span-line.ts';
import { codingSessionSpans } from './coding-session.ts';
import type { HttpFixture, Tenant } from './http-app.ts';
import { toRequest } from './store-app.ts';

/** A tenant with an object of every kind. */
export interface SeededTenant extends Tenant {
  /** A text that occurs only in the names of its agents and services. */
  marker: string;
  /** The id of one of its objects by path parameter, including `tenant_id`. */
  objects: Record<string, string>;
  /** Texts that only responses to this tenant may contain: ids, its key, and the marker in its agents' names. */
  markers: string[];
}

type Send = (method: string, path: string, body?: Buffer, type?: string) => Promise<Record<string, unknown>>;
type Seed = (send: Send, tenant: SeededTenant) => Promise<string>;

/** How to create an object for each path parameter. The tenant matrix fails for a missing parameter. */
export const SEEDS: Readonly<Record<string, Seed>> = {
  tenant_id: async (_send, { tenantId }) => tenantId,
  trace_id: async (send) => firstOf(await send('GET', '/tenants/{tenant_id}/traces'), 'trace_id'),
  run_id: async (_send, { marker }) => `run-of-${marker}`,
  session_id: async (send, { tenantId, marker }) => {
    const spans = codingSessionSpans({
      sessionId: `s${Buffer.from(marker).toString('hex')}`,
      startMs: Date.UTC(2026, 0, 10),
      title: `Of ${marker}`,
    });
    await send('POST', '/tenants/{tenant_id}/traces/ingest', toRequest(spans).body);
    const { items } = await send('GET', '/tenants/{tenant_id}/traces');
    const [trace] = (items as { trace_id: string; session_id: string | null }[]).filter(
      ({ trace_id }) => trace_id === spans[0]!.traceId,
    );
    if (!trace) throw new Error(`${tenantId} has no coding session`);
    await send('POST', `/tenants/{tenant_id}/traces/${trace.trace_id}/analyze`);
    return spans[0]!.traceId;
  },
  span_id: async (send, { objects }) =>
    firstOf(await send('GET', `/tenants/{tenant_id}/traces/${objects.trace_id}/spans?from_step=0&count=1`), 'span_id'),
  issue_id: async (send) => firstOf(await send('GET', '/tenants/{tenant_id}/issues'), 'issue_id'),
  detection_id: async (send) => (await fixedDetection(send)).detection_id,
  fix_id: async (send) => (await fixedDetection(send)).fixes[0]!.fix_id,
  operation_id: async (send) => {
    const { detection_id } = await fixedDetection(send);
    return String((await post(send, '/tenants/{tenant_id}/healing/operations', { detection_id })).operation_id);
  },
  feedback_id: async (send) => {
    const { detection_id } = await fixedDetection(send);
    const feedback = { detection_id, feedback_type: 'true_positive' };
    return String((await post(send, '/tenants/{tenant_id}/feedback', feedback)).feedback_id);
  },
  key_id: async (send) =>
    String((await post(send, '/tenants/{tenant_id}/api-keys', { name: 'another', scopes: ['read'] })).key_id),
  agent_id: async (send) => {
    const agents = (await send('GET', '/tenants/{tenant_id}/agents')) as unknown as { agent_id: string }[];
    return agents[0]!.agent_id;
  },
  conversation_id: async (send, { marker }) => {
    const turns = [
      { role: 'user', content: `Hello, this is ${marker}.` },
      { role: 'assistant', content: 'Good day.' },
    ];
    const body = { format: 'generic', data: { turns } };
    return String((await post(send, '/tenants/{tenant_id}/conversations/ingest', body)).conversation_id);
  },
  workflow_id: async (send) => firstOf(await send('GET', '/tenants/{tenant_id}/workflows'), 'workflow_id'),
  group_id: async (send, { marker, objects }) => {
    const group = await post(send, '/tenants/{tenant_id}/workflow-groups', { name: `group of ${marker}` });
    const path = `/tenants/{tenant_id}/workflow-groups/${group.group_id}/workflows`;
    await post(send, path, { workflow_ids: [objects.workflow_id] });
    return String(group.group_id);
  },
  registration_id: async (send, { marker }) => {
    const instance = { name: `n8n of ${marker}`, url: 'http://127.0.0.1:9', api_key: `key of ${marker}` };
    return String((await post(send, '/flowplatform/instances', instance)).instance_id);
  },
  token: async (send, { marker }) => {
    const body = { name: `flow of ${marker}`, external_id: `id of ${marker}` };
    const { webhook } = await post(send, '/flowplatform/workflows', body);
    return (webhook as { path: string }).path.split('/').at(-1)!;
  },
  job_id: async (send) => String((await send('DELETE', '/tenants/{tenant_id}/traces?date_to=2001-01-01')).job_id),
  import_job_id: async (send, tenant) => {
    const line = Buffer.from(`${encodeSpanLine(spansOf(tenant.marker, 30)[0]![0]!)}\n`);
    return String((await send('POST', '/import-jobs', line, 'application/x-ndjson')).import_job_id);
  },
};

/** @param daysAgo age of its runs; ids of demo runs depend on the day */
export async function seedTenant(http: HttpFixture, marker: string, daysAgo: number): Promise<SeededTenant> {
  const tenant: SeededTenant = { ...(await http.newTenant(`tenant ${marker}`)), marker, objects: {}, markers: [] };
  for (const spans of spansOf(marker, daysAgo, http.clock.now())) {
    await http.services.ingest.ingest(tenant.tenantId, toRequest(spans));
  }
  http.clock.advance(60_000);
  await http.services.analysis.runDue(1_000);
  const send = senderOf(http, tenant);
  for (const [param, seed] of Object.entries(SEEDS)) tenant.objects[param] = await seed(send, tenant);
  tenant.markers = [...new Set([...Object.values(tenant.objects), tenant.apiKey, marker])];
  return tenant;
}

const DAY_MS = 86_400_000;

function spansOf(marker: string, daysAgo: number, nowMs = Date.UTC(2026, 0, 15, 12)): Span[][] {
  return demoSpans(nowMs - daysAgo * DAY_MS).map((spans) => spans.map((span) => marked(span, marker)));
}

function marked(span: Span, marker: string): Span {
  const agent = span.attributes['gen_ai.agent.name'];
  return {
    ...span,
    attributes: { ...span.attributes, ...(agent === undefined ? {} : { 'gen_ai.agent.name': `${agent} ${marker}` }) },
    resource: { ...span.resource, 'service.name': `desk ${marker}` },
  };
}

function senderOf(http: HttpFixture, tenant: SeededTenant): Send {
  return async (method, path, body, type = 'application/json') => {
    const response = await http.send({
      method,
      path: `/api/v1${path.replace('{tenant_id}', tenant.tenantId)}`,
      credential: tenant.apiKey,
      ...(body ? { body, headers: { 'Content-Type': type } } : {}),
    });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response.json;
  };
}

const post = (send: Send, path: string, body: object) => send('POST', path, Buffer.from(JSON.stringify(body)));

function firstOf(list: Record<string, unknown>, name: string): string {
  const [first] = list.items as Record<string, string>[];
  if (!first) throw new Error(`there is nothing to take ${name} from`);
  return first[name]!;
}

async function fixedDetection(send: Send) {
  const { items } = await send('GET', '/tenants/{tenant_id}/detections');
  const found = (items as { detection_id: string; fixes: { fix_id: string }[] }[]).find(
    ({ fixes }) => fixes.length > 0,
  );
  if (!found) throw new Error('no detection has a fix');
  return found;
}

/** An id of the same form that does not exist. */
export function unusedId(id: string): string {
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
  return prefix + '1'.repeat(id.length - prefix.length);
}
