import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { loopingRun } from '../../test/support/looping-run.ts';
import { runSpans, toRequest, traceIdOf } from '../../test/support/store-app.ts';
import { openStream } from '../../test/support/stream-reader.ts';
import type { Json } from '../core/json.ts';
import { TOPICS } from '../features/streams/stream-event.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant('desk');
});
afterEach(() => http.close());

const pathOf = (query = '', { tenantId } = tenant) => `/api/v1/tenants/${tenantId}/stream${query}`;
const open = (query = '', headers: Record<string, string> = {}, of = tenant) =>
  openStream(http.port, pathOf(query, of), { 'X-SVC-API-Key': of.apiKey, ...headers });
const send = (number: number, of = tenant) => http.services.ingest.ingest(of.tenantId, toRequest(runSpans(number)));
const judge = async () => {
  http.clock.advance(60_000);
  await http.services.analysis.runDue(100);
};
describe('the stream of a tenant', () => {
  it('sends start, updates and end of an OTLP run of this tenant only', async () => {
    const other = await http.newTenant('other');
    const stream = open();
    expect((await stream.answered).headers['content-type']).toBe('text/event-stream');
    expect(await stream.next()).toMatchObject({ event: 'connected', data: { topics: [...TOPICS] } });
    await send(7, other);
    await send(1);
    const { traceId } = runSpans(1)[0]!;
    const started = await stream.next();
    expect(started).toMatchObject({
      event: 'execution.started',
      data: { trace_id: traceId, name: 'part 0', status: 'running', span_count: runSpans(1).length },
    });
    await send(1);
    expect(await stream.next()).toMatchObject({ event: 'execution.updated', data: { trace_id: traceId } });
    await judge();
    expect(await stream.next()).toMatchObject({
      event: 'execution.finished',
      data: { trace_id: traceId, status: 'ok', detection_count: 0, max_severity: null },
    });
    await http.services.analysis.analyzeTrace(tenant.tenantId, traceId);
    expect(await stream.next()).toMatchObject({ event: 'execution.updated', data: { status: 'ok' } });
    stream.close();
  });

  it('sends detections, and issues when they begin, recur and regress', async () => {
    const stream = open('?topics=issues,traces');
    await stream.next();
    const sendLoop = (number: number) => http.services.ingest.ingest(tenant.tenantId, toRequest(loopingRun(number)));
    await sendLoop(1);
    const started = await stream.next();
    await judge();
    const seen = [started, await stream.next(), await stream.next(), await stream.next()];
    expect(seen.map((frame) => frame!.event)).toEqual([
      'execution.started',
      'execution.finished',
      'detection.created',
      'issue.created',
    ]);
    const [, finished, detection, issue] = seen;
    expect(finished!.data!.detection_count).toBeGreaterThan(0);
    expect(detection!.data).toMatchObject({ trace_id: traceIdOf(1), issue_id: issue!.data!.issue_id, type: 'loop' });
    expect(issue!.data).toMatchObject({ status: 'open', detection_type: 'loop', trace_id: traceIdOf(1) });
    await sendLoop(2);
    await judge();
    const again = [await stream.next(), await stream.next(), await stream.next()];
    expect(again[0]!.event).toBe('execution.finished');
    expect(again.at(-1)).toMatchObject({ event: 'issue.updated', data: { issue_id: issue!.data!.issue_id } });
    stream.close();
  });

  it('sends the progress of imports', async () => {
    const stream = open('?topics=imports');
    await stream.next();
    const answer = await http.send({
      method: 'POST',
      path: '/api/v1/import-jobs?file_name=runs.json',
      credential: tenant.apiKey,
      body: JSON.parse(toRequest(runSpans(3)).body.toString()),
    });
    expect(answer.status, answer.text).toBe(202);
    expect(await stream.next()).toMatchObject({
      event: 'import.created',
      data: { import_job_id: answer.json.import_job_id, status: 'queued', file_name: 'runs.json' },
    });
    await http.services.imports.runDue(1);
    expect(await stream.next()).toMatchObject({
      event: 'import.updated',
      data: { status: 'completed', records_done: 1 },
    });
    stream.close();
  });

  it('sends healing operations when they are planned, decided and recorded as applied', async () => {
    await http.services.ingest.ingest(tenant.tenantId, toRequest(loopingRun(1)));
    await judge();
    const stream = open('?topics=healing');
    await stream.next();
    const base = `/api/v1/tenants/${tenant.tenantId}`;
    const post = async (path: string, body: Json) => {
      const answer = await http.send({ method: 'POST', path: base + path, credential: tenant.apiKey, body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.json;
    };
    const { items } = (await http.send({ path: `${base}/detections`, credential: tenant.apiKey })).json;
    const { detection_id, fixes } = items.find((one: { fixes: object[] }) => one.fixes.length > 0);
    const { operation_id } = await post('/healing/operations', { detection_id });
    expect(await stream.next()).toMatchObject({
      event: 'healing.created',
      data: { operation_id, detection_id, status: 'pending_approval' },
    });
    await post(`/healing/operations/${operation_id}/reject`, {});
    expect(await stream.next()).toMatchObject({ event: 'healing.updated', data: { operation_id, status: 'rejected' } });
    await post(`/detections/${detection_id}/fixes/${fixes[0].fix_id}/apply`, {});
    expect(await stream.next()).toMatchObject({ event: 'healing.created', data: { status: 'applied' } });
    stream.close();
  });

  it('sends the events of one trace if the query names it', async () => {
    const { traceId } = runSpans(2)[0]!;
    const stream = open(`?trace_id=${traceId.toUpperCase()}`);
    await stream.next();
    await send(1);
    await send(2);
    expect(await stream.next()).toMatchObject({ event: 'execution.started', data: { trace_id: traceId } });
    stream.close();
  });

  it('that reconnects gets the missed events of its topics', async () => {
    const first = open();
    const hello = await first.next();
    await send(1);
    const started = await first.next();
    first.close();
    await send(2);
    await judge();
    const marker = open('', { 'Last-Event-ID': started!.id! });
    await marker.next();
    const events = [await marker.next(), await marker.next()];
    expect(events.map((frame) => frame!.event)).toEqual(['execution.finished', 'execution.finished']);
    const others = open('?topics=healing', { 'Last-Event-ID': hello!.id! });
    await others.next();
    http.services.streams.close();
    expect(await others.next()).toMatchObject({ event: 'closing', data: { reason: 'shutdown' } });
    marker.close();
  });

  it.each(['1', 'no-id'])('receives a gap event after %s', async (lastId) => {
    const stream = open('', { 'Last-Event-ID': lastId });
    expect([(await stream.next())!.event, (await stream.next())!.event]).toEqual(['connected', 'gap']);
    stream.close();
  });

  it.each([
    ['?topics=traces,cats', '?topics'],
    ['?topics=', '?topics'],
    ['?trace_id=', '?trace_id'],
    [`?trace_id=${'a'.repeat(129)}`, '?trace_id'],
    ['?cats=1', '?cats'],
  ])('refuses %s', async (query, pointer) => {
    const answer = await http.send({ path: pathOf(query), credential: tenant.apiKey });
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_query', errors: [{ pointer }] } });
  });

  it('counts towards the stream limit of its tenant', async () => {
    const small = await startHttpApp({ maxStreams: { total: 10, perTenant: 1 } });
    const owner = await small.newTenant();
    const stream = openStream(small.port, pathOf('', owner), { 'X-SVC-API-Key': owner.apiKey });
    await stream.next();
    const second = await small.send({ path: pathOf('', owner), credential: owner.apiKey });
    expect(second).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    stream.close();
    await small.close();
  });
});
