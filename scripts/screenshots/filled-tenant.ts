import type { Span } from '../../src/core/span.ts';
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
  const failing = items.find((trace) => trace.detection_count > 0 && trace.agent_ids.length > 0)!;
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

interface IssueRow {
  issue_id: string;
  detection_type: string;
  subtype: string;
  example_detection_id: string;
}

/**
 * Plans in several states, each with the fix that is suggested for its issue. Two are applied: one holds in the runs
 * after it, and one does not.
 */
async function planFixes(dashboard: Dashboard) {
  const { served, desk } = dashboard;
  const { items } = await get<Page<IssueRow>>(served.url, desk, '/issues');
  const operations = '/healing/operations';
  const planFix = async (type: string, subtype: string, ...steps: string[]): Promise<Plan> => {
    const issue = items.find((one) => one.detection_type === type && one.subtype === subtype)!;
    const body = { detection_id: issue.example_detection_id };
    const plan = await post<Plan>(served.url, desk, operations, body);
    for (const step of steps)
      await post(
        served.url,
        desk,
        `${operations}/${plan.operation_id}/${step}`,
        step === 'resolve' ? { outcome: 'applied' } : {},
      );
    return plan;
  };
  const waiting = await planFix('loop', 'exact_repetition');
  await planFix('injection', 'indirect', 'approve');
  await planFix('context_overflow', 'exceeded', 'approve', 'execute');
  const applied = await planFix('loop', 'recursion_limit', 'approve', 'execute', 'resolve');
  await planFix('state_corruption', 'type_change', 'approve', 'execute', 'resolve');
  await sendLaterRuns(dashboard);
  return { plan: waiting.operation_id, appliedPlan: applied.operation_id, detection: waiting.detection_id };
}

const ROOT_AND_TWO_NODES = 5;

/** A run of the planner that ends before its limit, and one of the order workflow with its failure, both after the fixes. */
async function sendLaterRuns({ served, desk }: Dashboard): Promise<void> {
  const now = Date.now();
  // Other ids than those of today.
  const runs = demoSpans(now + DAY_MS).map((spans) => spans.toSorted((a, b) => Number(a.startNs - b.startNs)));
  const runOf = (name: string) =>
    runs.find((spans) => spans.some(({ parentSpanId, name: own }) => parentSpanId === null && own === name))!;
  const [root, ...steps] = runOf('migration planner').slice(0, ROOT_AND_TWO_NODES);
  const ended = { ...root!, endNs: steps.at(-1)!.endNs, status: { code: 0 as const, message: '' }, events: [] };
  for (const spans of [[ended, ...steps], runOf('order workflow')]) {
    const later = startingAt(now, spans);
    await post(served.url, desk, '/traces/ingest', JSON.parse(toRequest(later).body.toString()));
    await post(served.url, desk, `/traces/${later[0]!.traceId}/analyze`, {});
  }
}

function startingAt(ms: number, spans: readonly Span[]): Span[] {
  const byNs = BigInt(ms) * 1_000_000n - spans[0]!.startNs;
  return spans.map((span) => ({
    ...span,
    startNs: span.startNs + byNs,
    endNs: span.endNs === null ? null : span.endNs + byNs,
  }));
}
