import { demoSpans } from '../../src/features/demo/demo-spans.ts';
import { encodeOtlpJson } from '../../src/formats/otlp/encode-json.ts';
import type { Dashboard } from '../../test/support/dashboard.ts';
import { get, post } from '../../test/support/served.ts';
import { toRequest } from '../../test/support/store-app.ts';

/** Ids of objects with their own views. */
export interface ShownIds {
  issue: string;
  trace: string;
  teamTrace: string;
  stateTrace: string;
  healthyTrace: string;
  agent: string;
  detection: string;
  plan: string;
  appliedPlan: string;
  importJob: string;
}

interface TraceRow {
  trace_id: string;
  name: string;
  detection_count: number;
  agent_ids: string[];
}

interface Page<Item> {
  items: Item[];
}

const DAY_MS = 86_400_000;
const DAYS = 4;

/** Adds objects of all other kinds to the tenant with the example runs. */
export async function fillTenant(dashboard: Dashboard, alertUrl: string): Promise<ShownIds> {
  const { served, desk } = dashboard;
  await send(dashboard, 'PUT', `/tenants/${desk.tenantId}/preferences/notifications`, {
    channels: { team_chat: { enabled: true, webhook_url: alertUrl } },
  });
  await sendEarlierRuns(dashboard);
  await post(served.url, desk, '/conversations/ingest', CONVERSATION);
  await send(dashboard, 'POST', '/flowplatform/instances', INSTANCE);
  await post(served.url, desk, '/api-keys', { name: 'ci', scopes: ['ingest'] });
  const importJob = await importFile(dashboard);
  const { plan, appliedPlan, detection } = await planFixes(dashboard);
  const issues = await get<Page<{ issue_id: string }>>(served.url, desk, '/issues');
  const { items } = await get<Page<TraceRow>>(served.url, desk, '/traces');
  const failing = items.find((trace) => trace.detection_count > 0)!;
  const byAgents = items.toSorted((one, other) => other.agent_ids.length - one.agent_ids.length);
  await post(served.url, desk, `/issues/${issues.items.at(-1)!.issue_id}/resolve`, {});
  return {
    issue: issues.items[0]!.issue_id,
    trace: failing.trace_id,
    teamTrace: byAgents[0]!.trace_id,
    stateTrace: items.find(({ name }) => name === 'order workflow')!.trace_id,
    healthyTrace: byAgents.find((trace) => trace.detection_count === 0)!.trace_id,
    agent: failing.agent_ids[0]!,
    detection,
    plan,
    appliedPlan,
    importJob,
  };
}

const CONVERSATION = {
  format: 'generic',
  data: {
    conversation_id: 'call-204',
    turns: [
      { role: 'user', content: 'My parcel has not arrived. The number is NL-88213.' },
      { role: 'assistant', content: 'It left the depot this morning and arrives today.' },
      { role: 'user', content: 'Thank you.' },
    ],
  },
};

const INSTANCE = { name: 'office automation', url: 'http://127.0.0.1:9', api_key: 'an example' };

async function send(dashboard: Dashboard, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${dashboard.served.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-svc-api-key': dashboard.desk.apiKey },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

/** The example runs of the days before, so that charts and issues have a history. */
async function sendEarlierRuns(dashboard: Dashboard): Promise<void> {
  const { served, desk } = dashboard;
  for (let day = 1; day < DAYS; day += 1)
    for (const spans of demoSpans(Date.now() - day * DAY_MS).slice(day)) {
      await post(served.url, desk, '/traces/ingest', JSON.parse(toRequest(spans).body.toString()));
      await post(served.url, desk, `/traces/${spans[0]!.traceId}/analyze`, {});
    }
}

/** A file with one trace and one invalid line. */
async function importFile({ served, desk }: Dashboard): Promise<string> {
  const earlier = demoSpans(Date.now() - DAYS * DAY_MS)[0]!;
  const response = await fetch(`${served.url}/api/v1/import-jobs?file_name=triage.jsonl`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'x-svc-api-key': desk.apiKey },
    body: `${encodeOtlpJson(earlier)}\nthis is no JSON\n`,
  });
  const { import_job_id } = (await response.json()) as { import_job_id: string };
  return import_job_id;
}

interface Plan {
  operation_id: string;
  detection_id: string;
}

/** Plans in several states; one that changes a threshold, which needs no other service, waits for approval. */
async function planFixes({ served, desk }: Dashboard) {
  const { items } = await get<Page<{ detection_id: string }>>(served.url, desk, '/detections');
  const operations = '/healing/operations';
  const threshold = (detection_id: string | undefined, value: number) =>
    post<Plan>(served.url, desk, operations, {
      detection_id,
      executor: 'settings',
      target: { setting: 'detector_overrides' },
      changes: [{ format: 'json-patch', after: `[{"op":"add","path":"/loop","value":${value}}]` }],
    });
  for (const [at, { detection_id }] of items.slice(0, 3).entries()) {
    const { operation_id } = await post<Plan>(served.url, desk, operations, { detection_id });
    for (const step of ['approve', 'execute'].slice(0, at))
      await post(served.url, desk, `${operations}/${operation_id}/${step}`, {});
  }
  const applied = await threshold(items[1]?.detection_id, 0.6);
  for (const step of ['approve', 'execute'])
    await post(served.url, desk, `${operations}/${applied.operation_id}/${step}`, {});
  const waiting = await threshold(items[0]?.detection_id, 0.5);
  return { plan: waiting.operation_id, appliedPlan: applied.operation_id, detection: waiting.detection_id };
}
