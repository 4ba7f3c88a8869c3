import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import { encodeSpanLine } from '../../formats/misstep/span-line.ts';
import { encodeOtlpJson } from '../../formats/otlp/encode-json.ts';
import type { Services } from '../services.ts';

let store: StoreApp;
let tenantId: string;
let folder: string;
/** Told after every commit that touched traces. */
let onCommit: () => void;
beforeEach(async () => {
  onCommit = () => {};
  store = await openStoreApp({ dependencies: { onTracesChanged: () => onCommit() } });
  tenantId = await store.newTenant();
  folder = await mkdtemp(join(tmpdir(), 'misstep-import-'));
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const TRACES = 700;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const lines = (count = TRACES) => numbers(count).flatMap((at) => runSpans(at).map(encodeSpanLine));
const REQUEST = { fileName: 'runs.jsonl', format: null, isAlerting: false };

async function add(body: string | Buffer, services: Services = store.services) {
  const file = await services.imports.receive(Readable.from([Buffer.from(body as string)]));
  return (await services.imports.add(tenantId, file, REQUEST)).import_job_id;
}

const jobOf = (id: string, services: Services = store.services) => services.imports.get(tenantId, id);
const chunkCount = async () => (await store.db.selectFrom('span_chunks').select('sequence').execute()).length;
const tracesWithDoubles = async () => {
  const rows = await store.db.selectFrom('traces').select(['trace_id', 'span_count']).execute();
  return rows.filter((row) => row.span_count !== 4);
};

describe('an import that is stopped half-way', () => {
  const array = (items: string[]) => `[${items.join(',\n')}]`;
  it.each([
    ['lines', () => lines().join('\n')],
    ['packed lines', () => gzipSync(lines().join('\n'))],
    ['an array', () => array(lines())],
    [
      'one large OTLP document',
      () =>
        `{"resourceSpans":[${numbers(TRACES)
          .map((at) => encodeOtlpJson(runSpans(at)).slice(18, -2))
          .join(',')}]}`,
    ],
  ] as const)('goes on where it was, and doubles nothing: %s', async (_name, body) => {
    const id = await add(body());
    onCommit = () => store.services.imports.close();
    await store.services.imports.runDue(1);
    const stopped = await jobOf(id);
    expect(stopped.status).toBe('processing');
    expect(stopped.spans_accepted).toBeGreaterThan(0);
    expect(stopped.spans_accepted).toBeLessThan(TRACES * 4);
    expect(stopped.progress).toBeGreaterThan(0);

    const second = await store.openSecond();
    try {
      await second.services.imports.runDue(1);
      expect(await jobOf(id, second.services)).toMatchObject({
        status: 'completed',
        spans_accepted: TRACES * 4,
        error_count: 0,
      });
      expect((await second.services.imports.results(tenantId, id, PAGE)).trace_count).toBe(TRACES);
    } finally {
      await second.close();
    }
    expect(await tracesWithDoubles()).toEqual([]);
  });

  it('is leased by another worker after its worker died, whose late commit has no effect', async () => {
    const id = await add(lines().join('\n'));
    const second = await store.openSecond();
    try {
      let takenOver: Promise<boolean> | null = null;
      onCommit = () => {
        store.clock.advance(60_000);
        takenOver ??= second.services.imports.runNow(tenantId, id);
      };
      await store.services.imports.runDue(1);
      expect(await takenOver).toBe(true);
    } finally {
      await second.close();
    }
    expect(await jobOf(id)).toMatchObject({
      status: 'completed',
      spans_accepted: TRACES * 4,
      records_done: TRACES * 4,
    });
    expect(await tracesWithDoubles()).toEqual([]);
  });

  it('is not leased while its worker runs', async () => {
    const id = await add(lines().join('\n'));
    const second = await store.openSecond();
    try {
      let others = Promise.resolve(0);
      onCommit = () => {
        onCommit = () => {};
        others = second.services.imports.runDue(1);
      };
      await store.services.imports.runDue(1);
      expect(await others).toBe(0);
    } finally {
      await second.close();
    }
    expect(await jobOf(id)).toMatchObject({ status: 'completed', spans_accepted: TRACES * 4 });
  });

  it('keeps what it has when it is cancelled', async () => {
    const id = await add(lines().join('\n'));
    let cancelled: Promise<void> | null = null;
    onCommit = () => {
      cancelled ??= store.services.imports.remove(tenantId, id);
    };
    await store.services.imports.runDue(1);
    await cancelled;
    const job = await jobOf(id);
    expect(job.status).toBe('cancelled');
    expect(job.spans_accepted).toBeGreaterThan(0);
    expect(job.spans_accepted).toBeLessThan(TRACES * 4);
    expect(await chunkCount()).toBeGreaterThan(0);
    expect(await store.services.imports.nextDueAt()).toBe(null);
  });
});

const PAGE = { page: 1, pageSize: 10, cursor: null };

describe('a file of another format', () => {
  const messageOf = (name: string, content: string) => ({ name, role: 'assistant', content });
  const mast = (trace_id: number) => ({
    mas_name: 'AG2',
    llm_name: 'gpt-4o',
    benchmark_name: 'GSM',
    trace_id,
    trace: {
      key: 'k',
      index: trace_id,
      trajectory: [messageOf('solver', 'Four.'), messageOf('checker', 'That is right.')],
    },
    mast_annotation: { '1.1': 1 },
  });
  const n8n = readFileSync(resolve(import.meta.dirname, '../../../test/fixtures/n8n/agent-with-tool.json'), 'utf8');
  const anotherRun = JSON.stringify({ ...JSON.parse(n8n), id: '4711' });

  it.each([
    ['MAST records, one a line', [1, 2, 3].map((at) => JSON.stringify(mast(at))).join('\n'), 3, ['taxonomy-data'], 0],
    ['MAST records in an array', JSON.stringify([1, 2].map(mast), null, 2), 2, ['taxonomy-data'], 0],
    [
      'a MAST record beside one without a trace',
      `${JSON.stringify(mast(1))}\n{"mas_name":"AG2"}`,
      1,
      ['taxonomy-data'],
      1,
    ],
    ['an n8n execution', n8n, 1, ['n8n'], 0],
    ['n8n executions as a page of the API', `{"data":[${n8n},${anotherRun}],"nextCursor":null}`, 2, ['n8n'], 0],
    ['n8n executions, one a line', `${JSON.stringify(JSON.parse(n8n))}\n${anotherRun}\n`, 2, ['n8n'], 0],
    ['both in one file', `${JSON.stringify(mast(1))}\n${anotherRun}\n`, 2, ['n8n', 'taxonomy-data'], 0],
  ])('%s', async (_name, body, traces, formats, errors) => {
    const id = await add(body);
    await store.services.imports.runDue(1);
    const job = await jobOf(id);
    expect({ ...job, formats: job.formats.toSorted() }).toMatchObject({
      status: errors > 0 ? 'completed_with_errors' : 'completed',
      formats,
      error_count: errors,
    });
    const { trace_ids } = await store.services.imports.results(tenantId, id, PAGE);
    expect(trace_ids).toHaveLength(traces);
    await store.settle(60_000);
    for (const traceId of trace_ids)
      expect((await (await store.services.traces.get(tenantId, traceId)).value()).span_count).toBeGreaterThan(1);
    expect(store.problems).toEqual([]);
  });
});

describe('the same file again', () => {
  it('changes nothing', async () => {
    await add(lines(3).join('\n'));
    await add(lines(3).join('\n'));
    await store.services.imports.runDue(5);
    expect(await chunkCount()).toBe(3);
    expect(await tracesWithDoubles()).toEqual([]);
  });

  it('as a local file is the job that was', async () => {
    const path = join(folder, 'runs.jsonl');
    await writeFile(path, lines(3).join('\n'));
    const first = await store.services.imports.addLocal(tenantId, path, REQUEST);
    await store.services.imports.runNow(tenantId, first.job.import_job_id);
    const again = await store.services.imports.addLocal(tenantId, path, REQUEST);
    expect([first.isKnown, again.isKnown]).toEqual([false, true]);
    expect(again.job).toMatchObject({ import_job_id: first.job.import_job_id, status: 'completed' });
  });

  it('is a new job if the previous one failed', async () => {
    const path = join(folder, 'nothing.jsonl');
    await writeFile(path, '{"nothing":"known"}\n');
    const first = await store.services.imports.addLocal(tenantId, path, REQUEST);
    await store.services.imports.runDue(1);
    expect(await jobOf(first.job.import_job_id)).toMatchObject({ status: 'failed' });
    expect((await store.services.imports.addLocal(tenantId, path, REQUEST)).isKnown).toBe(false);
  });
});

describe('a job', () => {
  it('fails if its file is missing', async () => {
    const path = join(folder, 'gone.jsonl');
    await writeFile(path, lines(1).join('\n'));
    const { job } = await store.services.imports.addLocal(tenantId, path, REQUEST);
    await rm(path);
    await store.services.imports.runDue(1);
    expect(await jobOf(job.import_job_id)).toMatchObject({ status: 'failed', failure: 'The file no longer exists.' });
  });

  it('reports progress and remaining time', async () => {
    const id = await add(lines().join('\n'));
    onCommit = () => store.clock.advance(1_000);
    let seen: Promise<unknown> | null = null;
    let commits = 0;
    onCommit = () => {
      store.clock.advance(1_000);
      commits += 1;
      if (commits === 2) seen = jobOf(id);
    };
    await store.services.imports.runDue(1);
    expect(await seen).toMatchObject({ status: 'processing', eta_seconds: expect.any(Number) });
  });

  it('keeps a thousand of its errors and counts all', async () => {
    const id = await add(`${lines(1).join('\n')}\n${'{"a":1}\n'.repeat(1_200)}`);
    await store.services.imports.runDue(1);
    expect(await jobOf(id)).toMatchObject({
      status: 'completed_with_errors',
      error_count: 1_200,
      records_failed: 1_200,
    });
    const last = await store.services.imports.results(tenantId, id, { ...PAGE, page: 100 });
    expect(last).toMatchObject({
      has_more: false,
      errors: expect.arrayContaining([expect.objectContaining({ line: 1_004 })]),
    });
  });

  it('keeps its traces from being redone when one of them is there already', async () => {
    await store.send(tenantId, runSpans(1));
    const id = await add(lines(2).join('\n'));
    await store.services.imports.runDue(1);
    expect(await store.services.imports.results(tenantId, id, PAGE)).toMatchObject({
      trace_ids: [traceIdOf(1), traceIdOf(2)],
    });
  });
});
