import { type Json, parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import type { Db } from '../../store/connection.ts';
import { scheduleJobs } from '../../store/job.store.ts';
import { listRegistrations, readRegistration } from '../../store/registration.store.ts';
import type { EndedRun, ReceivedWebhook } from '../integrations/integration-source.ts';

export const HISTORY_JOB = 'langgraph-history';

/** A run whose nodes are to be fetched. */
export interface HistoryRequest {
  deploymentId: string;
  threadId: string;
  runId: string;
}

const SAFE_ID = /^[A-Za-z0-9_-]{1,128}$/;
const ALL = { after: null, offset: 0, limit: 1_000 };

export function historyKey({ deploymentId, threadId, runId }: HistoryRequest): string {
  return JSON.stringify([deploymentId, threadId, runId]);
}

/** Null for anything but such a key. */
export function parseHistoryKey(key: string): HistoryRequest | null {
  const parts = parseJson(key);
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === 'string')) return null;
  const [deploymentId = '', threadId = '', runId = ''] = parts as string[];
  return { deploymentId, threadId, runId };
}

/** Schedules a job for each finished run: its webhook describes the run only as a whole, the nodes are in its thread's history. */
export async function scheduleHistories(db: Db, received: ReceivedWebhook, now: number): Promise<void> {
  for (const run of received.ended) {
    const deploymentId = await deploymentOf(db, received, run);
    if (deploymentId === null) continue;
    const key = historyKey({ ...run, deploymentId });
    await scheduleJobs(db, [{ tenantNo: received.tenantNo, kind: HISTORY_JOB, key, runAt: now }]);
  }
}

/** Finished runs whose thread can be read. */
export function endedRuns(spans: readonly Span[]): EndedRun[] {
  return spans.flatMap((span) => {
    const threadId = safeId(span, 'langgraph.thread_id');
    const runId = safeId(span, 'langgraph.run_id');
    if (span.endNs === null || threadId === null || runId === null || isTemporary(span)) return [];
    const assistantId = span.attributes['langgraph.assistant_id'];
    const run = { traceId: span.traceId, threadId, runId, name: span.name };
    return [typeof assistantId === 'string' ? { ...run, assistantId } : run];
  });
}

/** The thread of a stateless run is deleted when the run ends. */
function isTemporary({ attributes }: Span): boolean {
  return attributes['langgraph.run.temporary'] === true;
}

/** Ids become part of a URL path: an id that would change the path is ignored. */
function safeId({ attributes }: Span, name: string): string | null {
  const value = attributes[name];
  return typeof value === 'string' && SAFE_ID.test(value) ? value : null;
}

/** The deployment of a run: by the webhook's own URL, otherwise by its assistant or graph, otherwise the only deployment. */
async function deploymentOf(
  db: Db,
  { tenantNo, registrationId }: Pick<ReceivedWebhook, 'tenantNo' | 'registrationId'>,
  { name, assistantId }: EndedRun,
): Promise<string | null> {
  if (registrationId !== null) {
    const row = await readRegistration(db, tenantNo, registrationId);
    return row?.kind === 'deployment' ? row.registration_id : (row?.parent_id ?? null);
  }
  const of = { integration: 'graphruntime' };
  const assistants = await listRegistrations(db, tenantNo, { ...of, kind: 'assistant' }, ALL);
  const graphOf = (details: string) => (parseJson(details) as { graph_id?: Json }).graph_id;
  const deployments = await listRegistrations(db, tenantNo, { ...of, kind: 'deployment' }, ALL);
  return (
    onlyOne(assistants.filter((row) => row.external_id === assistantId).map((row) => row.parent_id)) ??
    onlyOne(assistants.filter((row) => graphOf(row.details) === name).map((row) => row.parent_id)) ??
    onlyOne(deployments.map((row) => row.registration_id))
  );
}

function onlyOne(ids: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(ids);
  return others.length === 0 ? first : null;
}
