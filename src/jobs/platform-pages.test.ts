import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DIFY_KEY, type DifyServer, difyLog, startDifyServer } from '../../test/support/dify-server.ts';
import { type LangGraphStandIn, startLangGraphStandIn } from '../../test/support/langgraph-server.ts';
import { N8N_KEY, type N8nServer, n8nExecution, startN8nServer } from '../../test/support/n8n-server.ts';
import { openStoreApp, type StoreApp } from '../../test/support/store-app.ts';
import { workerEntry } from '../app/runtime-assets.ts';
import { AppError } from '../core/app-error.ts';
import type { JsonObject } from '../core/json.ts';
import { DIFY } from '../features/dify/dify.services.ts';
import type { PrepareExecutor } from '../features/ingest/prepare-executor.ts';
import { LANGGRAPH } from '../features/langgraph/langgraph.services.ts';
import { langgraph } from '../features/langgraph/langgraph.source.ts';
import { N8N } from '../features/n8n/n8n.services.ts';
import type { TaskRunner } from '../features/offload/task-runner.ts';
import { runTraceId } from '../formats/langgraph-server/run-span.ts';
import { createIngestPool } from './ingest-pool.ts';
import { TaskPool } from './task-pool.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/langgraph-server');
const read = (file: string) => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
const WEBHOOK: JsonObject = read('floor-plan.webhook.json');
const HISTORY: JsonObject[] = read('floor-plan.history.json');

/** One decoded body: its decoder, its bytes, and whether it was moved to a worker. */
type Decoded = [decoder: string, bytes: number, isOnWorker: boolean];

let app: StoreApp;
let tenantId: string;
let decoded: Decoded[];
/** Bodies of at least this many bytes fail on the worker. */
let refusedBytes: number;
/** Awaited before a body is decoded. */
let beforeDecode: () => Promise<void>;
beforeEach(async () => {
  decoded = [];
  refusedBytes = Number.POSITIVE_INFINITY;
  beforeDecode = async () => {};
  app = await openStoreApp({
    dependencies: {
      createPrepare: (redaction) =>
        watched(createIngestPool({ size: 1, entry: workerEntry(), redaction, timeoutMs: 60_000 })),
    },
  });
  tenantId = await app.newTenant();
});
afterEach(() => app.close());

function watched(pool: PrepareExecutor): PrepareExecutor {
  return {
    ...pool,
    async prepare(decoder, request) {
      const { length } = request.body;
      if (length > refusedBytes) throw new AppError('payload_too_large', 'too much memory');
      await beforeDecode();
      const prepared = await pool.prepare(decoder, request);
      decoded.push([decoder.name, length, length > 0 && request.body.length === 0]);
      return prepared;
    },
  };
}

async function register(integration: 'flowplatform' | 'llmapps' | 'graphruntime', kind: string, input: JsonObject) {
  const of = { integration, name: kind };
  return (await app.services.registrations.create(tenantId, of, { name: kind, ...input } as never)).row.registration_id;
}

const spanCounts = async () => {
  const rows = await app.db.selectFrom('traces').select(['span_count']).orderBy('trace_id').execute();
  return rows.map(({ span_count }) => span_count);
};

describe('pages of a platform', { timeout: 60_000 }, () => {
  describe('n8n', () => {
    let n8n: N8nServer;
    beforeEach(async () => {
      n8n = await startN8nServer();
      await register('flowplatform', 'instance', { url: n8n.url, credentials: { api_key: N8N_KEY } });
    });
    afterEach(() => n8n.close());
    const sync = async () => {
      const all = { instanceId: null, sinceMs: null, isAlerting: false, isFull: false };
      await app.services.platforms.of(N8N).sync.request(tenantId, all);
      await app.services.platforms.of(N8N).sync.runDue(10);
      return (await app.services.platforms.of(N8N).sync.status(tenantId))[0];
    };

    it('of workflows are parsed and inspected on a worker, not on the event loop', async () => {
      const pool = new TaskPool({ size: 2, entry: workerEntry(), store: { file: app.file } });
      const taskNames: string[] = [];
      const tasks: TaskRunner = {
        isAvailable: true,
        close: () => pool.close(),
        async start(task, input, options) {
          // Only the name of a task crosses to the worker: its function must not run here.
          taskNames.push(task.name);
          const foreign = { ...task, run: () => Promise.reject(new Error('ran on the event loop')) as never };
          return pool.start(foreign, input, options);
        },
      };
      const second = await app.openSecond({ tasks });
      const parsed = vi.spyOn(JSON, 'parse');
      try {
        const node = (name: string, type: string) => ({ name, type, parameters: {}, position: [0, 0] });
        n8n.workflows = Array.from({ length: 3 }, (_, at) => ({
          id: `w${at}`,
          name: `flow ${at}`,
          active: true,
          nodes: [
            node('Hook', 'n8n-nodes-base.webhook'),
            node('Set', 'n8n-nodes-base.set'),
            node('Lost', 'n8n-nodes-base.set'),
          ],
          connections: { Hook: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
          note: 'x'.repeat(100_000),
        }));
        const { items, problems } = await second.services.platforms.of(N8N).discovery.discover(tenantId, null);
        expect(problems).toEqual([]);
        expect(items.map(({ findings }) => findings.map(({ subtype }) => subtype))).toEqual(
          Array(3).fill(expect.arrayContaining(['unreachable_node'])),
        );
        expect(taskNames).toEqual(['workflows.inspect']);
        expect(parsed.mock.calls.filter(([text]) => text.includes('x'.repeat(1_000)))).toEqual([]);
      } finally {
        parsed.mockRestore();
        await second.close();
      }
    });

    it('of 20 MB are decoded on a worker', async () => {
      n8n.executions = Array.from({ length: 5 }, (_, at) =>
        n8nExecution(at + 1, { customData: 'x'.repeat(4_000_000) }),
      );
      expect(await sync()).toMatchObject({ status: 'idle', executions_taken: 5, newest_execution_id: '5' });
      expect(decoded).toEqual([['n8n-executions', expect.toSatisfy((bytes) => bytes > 20_000_000), true]]);
      expect(await spanCounts()).toEqual([3, 3, 3, 3, 3]);
    });

    it('with a single execution that is fetched again are decoded on a worker', async () => {
      const large = { customData: 'x'.repeat(1_000_000) };
      n8n.executions = [n8nExecution(1, { ...large, status: 'waiting', stoppedAt: null, finished: false })];
      await sync();
      n8n.executions = [n8nExecution(1, large)];
      await sync();
      expect(decoded.map(([, bytes, isOnWorker]) => [bytes > 1_000_000, isOnWorker])).toEqual([
        [true, true],
        [true, true],
        [true, true],
      ]);
    });

    it('that are too large are fetched in smaller pages, and finally without the data of the execution', async () => {
      refusedBytes = 5_000;
      n8n.executions = Array.from({ length: 30 }, (_, at) => n8nExecution(at + 1));
      n8n.executions[7] = n8nExecution(8, { customData: 'x'.repeat(10_000) });
      expect(await sync()).toMatchObject({ status: 'idle', executions_taken: 30, failure: null });
      expect((await spanCounts()).sort()).toEqual([1, ...Array(29).fill(3)]);
    });

    it('that cannot be read at any size end the sync run with a reason', async () => {
      refusedBytes = 10;
      n8n.executions = [n8nExecution(1)];
      expect(await sync()).toMatchObject({ status: 'failed', failure: expect.stringMatching(/too large to be read/) });
    });

    it('that are being decoded when the process closes are fetched by the next sync run', async () => {
      n8n.executions = [n8nExecution(1)];
      beforeDecode = () => {
        queueMicrotask(() => app.services.platforms.close());
        return new Promise(() => {});
      };
      expect(await sync()).toMatchObject({ status: 'queued', failure: null, executions_read: 0 });
      expect(await spanCounts()).toEqual([]);
    });

    it('that are small are decoded on the calling thread', async () => {
      n8n.executions = [n8nExecution(1)];
      await sync();
      expect(decoded).toEqual([['n8n-executions', expect.any(Number), false]]);
    });
  });

  describe('Dify', () => {
    let dify: DifyServer;
    beforeEach(async () => {
      dify = await startDifyServer();
    });
    afterEach(() => dify.close());

    it('are decoded on a worker', async () => {
      const home = await register('llmapps', 'instance', { url: dify.url });
      await register('llmapps', 'app', { parentId: home, credentials: { api_key: DIFY_KEY } });
      const at = Math.floor(app.clock.now() / 1000);
      dify.logs = ['a', 'b'].map((id) => difyLog(id, at, { error: 'x'.repeat(1_000_000) }));
      await app.services.platforms
        .of(DIFY)
        .sync.request(tenantId, { appId: null, sinceMs: null, isAlerting: false, isFull: false });
      await app.services.platforms.of(DIFY).sync.runDue(10);
      expect(await app.services.platforms.of(DIFY).sync.status(tenantId)).toMatchObject([
        { status: 'idle', runs_taken: 2 },
      ]);
      expect(decoded).toEqual([['dify-logs', expect.toSatisfy((bytes) => bytes > 2_000_000), true]]);
      expect(await spanCounts()).toEqual([1, 1]);
    });
  });

  describe('LangGraph', () => {
    let graph: LangGraphStandIn;
    beforeEach(async () => {
      graph = await startLangGraphStandIn();
    });
    afterEach(() => graph.close());

    it('are outlined and decoded on a worker', async () => {
      graph.threads.set(String(WEBHOOK.thread_id), HISTORY);
      graph.padding = 2_500_000;
      await register('graphruntime', 'deployment', { url: graph.url });
      const body = Buffer.from(JSON.stringify(WEBHOOK));
      await app.services.webhooks.handleWithKey(langgraph, tenantId, {
        body,
        headers: { signature: null, timestamp: null, nonce: null },
      });
      decoded = [];
      await app.services.platforms.of(LANGGRAPH).histories.runDue(10);
      expect(decoded).toEqual([
        ['langgraph-states', expect.toSatisfy((bytes) => bytes > 2_500_000), true],
        ['langgraph-history', expect.toSatisfy((bytes) => bytes > 2_500_000), true],
      ]);
      const trace = await app.db
        .selectFrom('traces')
        .select('span_count')
        .where('trace_id', '=', runTraceId(String(WEBHOOK.run_id)))
        .executeTakeFirstOrThrow();
      expect(trace.span_count).toBe(11);
    });
  });
});
