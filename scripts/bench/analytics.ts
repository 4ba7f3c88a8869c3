import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_CONFIG } from '../../src/app/config.ts';
import { type App, openApp } from '../../src/app/open-app.ts';
import { figuresOfTrace } from '../../src/features/analytics/figures-of-trace.ts';
import { resolveTenant } from '../../src/store/tenant.store.ts';
import { readTraces, saveTraces, touchTraces } from '../../src/store/trace.store.ts';
import { changeFigures, encodeFigures } from '../../src/store/trace-figures.store.ts';
import { inTransaction } from '../../src/store/transaction.ts';
import { seededRandom } from '../../test/support/random.ts';
import { makeDetection } from '../../test/support/stored-detection.ts';
import { startServer } from './server.ts';
import { type ResponseTimes, timeResponse, timeResponses, toResponseTimes } from './time-answers.ts';

export interface AnalyticsFigures {
  traces: number;
  /** Seconds to store them. */
  filledInSeconds: number;
  /** Milliseconds over HTTP, by request. */
  answers: Record<string, ResponseTimes>;
  rebuild: RebuildTimes;
}

export interface RebuildTimes {
  seconds: number;
  /** Milliseconds that concurrent writers waited. */
  writes: ResponseTimes & { worst: number };
}

const TRACES_PER_BATCH = 1_000;
const DAYS = 365;
const DAY_MS = 86_400_000;
const FRAMEWORKS = ['langgraph', 'crewai', 'autogen', 'openai-agents', 'n8n'];
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4', 'gemini-2.5-pro', 'llama-3.3-70b'];
const AGENTS = Array.from({ length: 200 }, (_, at) => `agent-${at}`);

/** Stores analyzed traces of a year, as an analysis does, then requests the analytics over HTTP. */
export async function measureAnalytics(traces: number): Promise<AnalyticsFigures> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'misstep-analytics-'));
  try {
    const app = await openApp({ ...DEFAULT_CONFIG, dataFolder });
    const { tenant_id, api_key } = await app.services.tenants.create({ name: 'bench' });
    const started = performance.now();
    await fill(app, tenant_id, traces);
    const filledInSeconds = Math.round((performance.now() - started) / 1_000);
    await app.close();
    const server = await startServer({ durability: 'normal', dataFolder });
    try {
      const base = `${server.url}/api/v1/tenants/${tenant_id}`;
      const headers = { 'x-svc-api-key': api_key, 'content-type': 'application/json' };
      const answers: AnalyticsFigures['answers'] = {};
      for (const part of ['loops', 'cost', 'quality'])
        for (const days of [30, 365])
          answers[`${part}, ${days} days`] = await timeResponses(`${base}/analytics/${part}?days=${days}`, headers);
      answers.workflows = await timeResponses(`${base}/workflows`, headers);
      return { traces, filledInSeconds, answers, rebuild: await timeRebuild(base, headers) };
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function fill(app: App, tenantId: string, traces: number): Promise<void> {
  const { db } = app.store;
  const tenantNo = (await resolveTenant(db, tenantId)) as number;
  const random = seededRandom(1);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const now = Date.now();
  for (let batch = 0; batch < traces / TRACES_PER_BATCH; batch += 1) {
    const sources = Array.from({ length: TRACES_PER_BATCH }, (_, at) => {
      const costUsd = Math.round(random() ** 4 * 1e8) / 1e8;
      const totalTokens = Math.floor(random() * 10_000);
      const isLoop = random() < 0.1;
      return {
        traceId: `t${(batch * TRACES_PER_BATCH + at).toString(16).padStart(31, '0')}`,
        framework: pick(FRAMEWORKS),
        serviceName: 'bench',
        name: `workflow ${Math.floor(random() * 300)}`,
        codingSession: null,
        startedAt: now - Math.floor(random() * DAYS * DAY_MS),
        spanCount: 20,
        totalTokens,
        costUsd,
        qualityScore: Math.floor(random() * 1_001) / 10,
        models: [{ model: pick(MODELS), tokens: totalTokens, costUsd }],
        detections: isLoop ? [makeDetection({ agent: pick(AGENTS), subtype: 'cyclic' })] : [],
      };
    });
    const identity = {
      tenantNo,
      sequence: batch + 1,
      isHistory: true,
      isRootSeen: true,
      hasRootEnded: true,
      isBookkeeping: false,
    };
    const touches = sources.map((source) => ({ ...identity, ...source, endedAt: source.startedAt, newSpans: 20 }));
    await inTransaction(db, async (transaction) => {
      await touchTraces(transaction, touches, now);
      const rows = await readTraces(
        transaction,
        tenantNo,
        sources.map(({ traceId }) => traceId),
      );
      const changes = sources.map((source) => {
        return { source, traceId: source.traceId, before: null, after: figuresOfTrace(source) };
      });
      await saveTraces(
        transaction,
        changes.map(({ source, after }) => ({
          ...rows.get(source.traceId)!,
          framework: source.framework,
          total_tokens: source.totalTokens,
          cost_usd: source.costUsd,
          quality_score: source.qualityScore,
          listed_at: source.startedAt,
          figures: encodeFigures(after),
          figures_day: after.day,
          workflow_id: after.workflow.workflowId,
        })),
      );
      await changeFigures(transaction, tenantNo, changes);
    });
    // The native module releases statements only between turns of the event loop.
    await new Promise(setImmediate);
  }
}

/** Rebuilds all figures and requests a small change of the tenant repeatedly meanwhile. */
async function timeRebuild(base: string, headers: Record<string, string>): Promise<RebuildTimes> {
  const started = performance.now();
  let isOver = false;
  const rebuild = timeResponse(`${base}/analytics/rebuild`, { method: 'POST', headers }).finally(() => {
    isOver = true;
  });
  const change = { method: 'PUT', headers, body: '{"retention_days":null}' };
  const times: number[] = [];
  while (!isOver) times.push(await timeResponse(`${base}/settings/retention`, change));
  await rebuild;
  const writes = { ...toResponseTimes(times), worst: Math.round(Math.max(...times)) };
  return { seconds: Math.round((performance.now() - started) / 1_000), writes };
}
