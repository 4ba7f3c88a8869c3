import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { runSpans, toRequest } from '../../test/support/store-app.ts';
import { openStream } from '../../test/support/stream-reader.ts';
import type { Span } from '../core/span.ts';
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
/** Four calls of a tool with the same arguments and the same result, which is a loop. */
const loopingRun = (traceId: string) =>
  toRequest(
    [0, 1, 2, 3, 4].map(
      (at): Span => ({
        ...runSpans(1)[0]!,
        traceId,
        spanId: `${traceId.slice(0, 14)}${at}f`,
        parentSpanId: at === 0 ? null : `${traceId.slice(0, 14)}0f`,
        name: at === 0 ? 'run' : 'execute_tool search',
        attributes:
          at === 0
            ? { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' }
            : {
                'gen_ai.operation.name': 'execute_tool',
                'gen_ai.tool.name': 'search',
                'gen_ai.tool.call.arguments': '{"q":"orders of 17"}',
                'gen_ai.tool.call.result': '[]',
              },
      }),
    ),
  );

describe('the stream of a tenant', () => {
  it('has the beginning, the growth and the end of an OTLP run, and of no other tenant', async () => {
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

  it('has detections, and issues when they begin, recur and regress', async () => {
    const stream = open('?topics=issues,traces');
    await stream.next();
    const [first, second] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string];
    await http.services.ingest.ingest(tenant.tenantId, loopingRun(first));
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
    expect(detection!.data).toMatchObject({ trace_id: first, issue_id: issue!.data!.issue_id, type: 'loop' });
    expect(issue!.data).toMatchObject({ status: 'open', detection_type: 'loop', trace_id: first });
    await http.services.ingest.ingest(tenant.tenantId, loopingRun(second));
    await judge();
    const again = [await stream.next(), await stream.next(), await stream.next()];
    expect(again[0]!.event).toBe('execution.finished');
    expect(again.at(-1)).toMatchObject({ event: 'issue.updated', data: { issue_id: issue!.data!.issue_id } });
    stream.close();
  });

  it('has the progress of imports', async () => {
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

  it('has the events of one trace alone where it is asked for one', async () => {
    const { traceId } = runSpans(2)[0]!;
    const stream = open(`?trace_id=${traceId.toUpperCase()}`);
    await stream.next();
    await send(1);
    await send(2);
    expect(await stream.next()).toMatchObject({ event: 'execution.started', data: { trace_id: traceId } });
    stream.close();
  });

  it('that comes back gets what it missed of its topics', async () => {
    const first = open();
    const hello = await first.next();
    await send(1);
    const started = await first.next();
    first.close();
    await send(2);
    await judge();
    const witness = open('', { 'Last-Event-ID': started!.id! });
    await witness.next();
    const events = [await witness.next(), await witness.next()];
    expect(events.map((frame) => frame!.event)).toEqual(['execution.finished', 'execution.finished']);
    const others = open('?topics=healing', { 'Last-Event-ID': hello!.id! });
    await others.next();
    http.services.streams.close();
    expect(await others.next()).toMatchObject({ event: 'closing', data: { reason: 'shutdown' } });
    witness.close();
  });

  it.each(['1', 'no-id'])('is told of the gap after %s', async (lastId) => {
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

  it('counts against the streams that a tenant may have open', async () => {
    const small = await startHttpApp({ maxStreams: { inAll: 10, ofTenant: 1 } });
    const owner = await small.newTenant();
    const stream = openStream(small.port, pathOf('', owner), { 'X-SVC-API-Key': owner.apiKey });
    await stream.next();
    const second = await small.send({ path: pathOf('', owner), credential: owner.apiKey });
    expect(second).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    stream.close();
    await small.close();
  });
});
