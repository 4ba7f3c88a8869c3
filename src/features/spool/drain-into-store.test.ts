import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionTraceId } from '../../formats/hooks/session-span.ts';
import { createRedactor } from '../../formats/redaction/redactor.ts';
import { type OpenedStore, openStore } from '../../store/open-store.ts';
import { createIdentity } from '../identity/create-identity.ts';
import { createIngestService, type IngestService } from '../ingest/ingest.service.ts';
import { createInThreadPrepare } from '../ingest/prepare-executor.ts';
import { createCipher } from '../integrations/cipher.ts';
import { drainIntoStore } from './drain-into-store.ts';
import { hookContentType } from './hook-content-type.ts';
import { appendEntry } from './spool-writer.ts';

const NOW = 1_790_000_000_000;
const clock = { now: () => NOW };
const REDACTION = { secrets: false, personalData: false, salt: '' };

let folder: string;
let store: OpenedStore;
let ingest: IngestService;
let tenants: Record<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drain-'));
  store = await openStore({ file: ':memory:', durability: 'normal' }, clock);
  const identity = createIdentity({
    db: store.db,
    clock,
    leases: { owner: async () => 'me' },
    cipher: createCipher(() => 'secret of the tests', randomBytes),
  });
  const [local, acme] = [
    await identity.tenants.create({ name: 'local' }),
    await identity.tenants.create({ name: 'acme' }),
  ];
  tenants = { local: local.tenant_id, acme: acme.tenant_id };
  ingest = await createIngestService({
    db: store.db,
    clock,
    redactor: createRedactor(REDACTION),
    prepare: createInThreadPrepare(REDACTION),
    tenantNoOf: identity.tenants.tenantNoOf,
    onTracesChanged: () => {},
  });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (traceId: string, tenantId: string | null = null) => {
  const span = { traceId, spanId: '00000000000000a1', name: traceId, startTimeUnixNano: '1', endTimeUnixNano: '2' };
  const body = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  appendEntry(folder, { receivedAtMs: NOW, contentType: null, tenantId, body });
};
const drain = (service: Pick<IngestService, 'prepare' | 'ingestPrepared'> = ingest) =>
  drainIntoStore(folder, {
    ingest: service,
    tenantIdOf: async (named) => tenants[named ?? 'local'] ?? '',
    now: () => NOW,
  });
const chunks = () =>
  store.db.selectFrom('span_chunks').select(['tenant_no', 'trace_id', 'span_count']).orderBy('tenant_no').execute();

const TRACES = ['a'.repeat(32), 'b'.repeat(32)] as const;

describe('draining into the store', () => {
  it('stores the entries of each tenant separately', async () => {
    add(TRACES[0]);
    add(TRACES[1], 'acme');
    expect(await drain()).toMatchObject({ files: 1, entries: 2, spans: 2, rejections: [], failures: [] });
    expect((await chunks()).map(({ tenant_no, trace_id }) => [tenant_no, trace_id])).toEqual([
      [1, TRACES[0]],
      [2, TRACES[1]],
    ]);
  });

  it.each([
    ['Stop', 3],
    ['SessionEnd', 5],
  ])('reads the transcript that a hook of this machine names at %s', async (event, expected) => {
    const line = (second: number, more: object) =>
      JSON.stringify({ sessionId: 's', uuid: `l${second}`, timestamp: `2026-03-01T10:00:0${second}Z`, ...more });
    const turn = (second: number) => [
      line(second, { type: 'user', message: { role: 'user', content: `Prompt ${second}` } }),
      line(second + 1, { type: 'assistant', message: { id: `m${second}`, role: 'assistant', content: 'Done.' } }),
    ];
    const record = { hook_event_name: event, session_id: 's', transcript_path: '/t.jsonl' };
    const contentType = hookContentType('claude-code');
    appendEntry(folder, {
      receivedAtMs: NOW,
      contentType,
      tenantId: 'acme',
      body: Buffer.from(JSON.stringify(record)),
    });
    const readTranscript = (path: string) =>
      path === '/t.jsonl' ? Buffer.from([...turn(1), ...turn(3)].join('\n')) : null;
    const report = await drainIntoStore(folder, {
      ingest,
      tenantIdOf: async (named) => tenants[named ?? 'local'] ?? '',
      now: () => NOW,
      readTranscript,
    });
    const root = 1;
    expect(report).toMatchObject({ spans: root + expected, failures: [] });
    expect((await chunks()).map(({ tenant_no, trace_id }) => [tenant_no, trace_id])).toEqual([
      [2, sessionTraceId('s')],
      [2, sessionTraceId('s')],
    ]);
  });

  it('stores nothing twice when it dies between two tenants', async () => {
    add(TRACES[0]);
    add(TRACES[1], 'acme');
    let calls = 0;
    const dying: Pick<IngestService, 'prepare' | 'ingestPrepared'> = {
      prepare: ingest.prepare,
      async ingestPrepared(...args) {
        calls += 1;
        if (calls === 2) throw new Error('killed');
        return ingest.ingestPrepared(...args);
      },
    };
    expect((await drain(dying)).failures).toHaveLength(1);
    expect(await chunks()).toHaveLength(1);
    expect((await drain()).failures).toEqual([]);
    expect(await chunks()).toHaveLength(2);
    expect(await store.db.selectFrom('drained_files').selectAll().execute()).toHaveLength(2);
  });

  it('stores nothing twice when two drain at once', async () => {
    for (const traceId of TRACES) add(traceId);
    const reports = await Promise.all([drain(), drain()]);
    expect(reports.flatMap((report) => report.failures)).toEqual([]);
    expect(await chunks()).toHaveLength(2);
  });

  it('reports records that are no traces and stores the others', async () => {
    appendEntry(folder, { receivedAtMs: NOW, contentType: null, tenantId: null, body: Buffer.from('{"no":"trace"}') });
    add(TRACES[0]);
    const report = await drain();
    expect(report.rejections).toHaveLength(1);
    expect(report.spans).toBe(1);
  });

  it('keeps the file of a missing tenant', async () => {
    add(TRACES[0], 'nobody');
    expect((await drain()).failures).toHaveLength(1);
    tenants.nobody = tenants.acme as string;
    expect((await drain()).failures).toEqual([]);
    expect(await chunks()).toHaveLength(1);
  });
});
