import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { runSpans, toRequest } from '../../test/support/store-app.ts';
import { openStream } from '../../test/support/stream-reader.ts';
import { startReceiver } from '../../test/support/webhook-receiver.ts';
import { DEFAULT_CONFIG } from '../app/config.ts';
import { openApp } from '../app/open-app.ts';

let http: HttpFixture;
let tenant: Tenant;
let beats: Set<() => void>;
let checks: Set<() => void>;
beforeEach(async () => {
  beats = new Set();
  checks = new Set();
  http = await startHttpApp({}, {}, { heartbeat: keepIn(() => beats), checkEverySecond: keepIn(() => checks) });
  tenant = await http.newTenant('desk');
});
afterEach(() => http.close());

function keepIn(calls: () => Set<() => void>) {
  return (call: () => void) => {
    calls().add(call);
    return () => void calls().delete(call);
  };
}

const open = (integration = 'flowplatform', headers: Record<string, string> = {}, credential = tenant.apiKey) =>
  openStream(http.port, `/api/v1/${integration}/stream`, { 'X-SVC-API-Key': credential, ...headers });

const run = (n: number, more: object = {}) => ({
  run_id: `11111111-2222-4333-8444-${String(n).padStart(12, '0')}`,
  assistant_id: 'a',
  status: 'success',
  created_at: '2026-01-15T11:59:00.000Z',
  updated_at: '2026-01-15T11:59:10.000Z',
  metadata: { graph_id: `graph ${n}` },
  ...more,
});
const deliver = async (body: object, credential = tenant.apiKey) => {
  const answer = await http.send({
    path: '/api/v1/graphruntime/webhook',
    method: 'POST',
    credential,
    body: body as never,
  });
  expect(answer.status, answer.text).toBe(202);
};
const publish = (n: number) =>
  http.services.tenants
    .tenantNoOf(tenant.tenantId)
    .then((no) => http.services.streams.publish(no, 'flowplatform', 'execution.started', { n }));

describe('a stream', () => {
  it('sends `connected`, then the runs of its platform and tenant', async () => {
    const other = await http.newTenant('other');
    const stream = open('graphruntime');
    const foreign = open('flowplatform');
    const { headers, statusCode } = await stream.answered;
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/event-stream',
      'no-store',
    ]);
    const hello = await stream.next();
    expect(hello).toMatchObject({
      event: 'connected',
      id: expect.stringMatching(/^\d+$/),
      data: { integration: 'graphruntime' },
    });
    await foreign.next();
    await deliver(run(9), other.apiKey);
    await deliver(run(1, { status: 'running', updated_at: '2026-01-15T11:59:00.000Z' }));
    await deliver(run(1));
    await deliver(run(1));
    await deliver(run(2, { status: 'error', error: 'Recursion limit of 5 reached' }));
    const received = [await stream.next(), await stream.next(), await stream.next()];
    expect(received).toMatchObject([
      { event: 'execution.started', data: { name: 'graph 1', status: 'running', source: 'webhook' } },
      { event: 'execution.finished', data: { name: 'graph 1', status: 'ok' } },
      { event: 'execution.finished', data: { name: 'graph 2', status: 'error' } },
    ]);
    const ids = [hello, ...received].map((frame) => Number(frame!.id));
    expect([...ids].sort((a, b) => a - b)).toEqual(ids);
    await publish(7);
    expect(await foreign.next()).toMatchObject({ event: 'execution.started', data: { n: 7 } });
    stream.close();
    foreign.close();
  });

  it('sends the detections of a run', async () => {
    const stream = open('graphruntime');
    await stream.next();
    await deliver(
      run(3, { status: 'error', error: 'Recursion limit of 25 reached without hitting a stop condition.' }),
    );
    expect(await stream.next()).toMatchObject({ event: 'execution.finished' });
    http.clock.advance(60_000);
    await http.services.analysis.runDue(10);
    const found = await stream.next();
    expect(found).toMatchObject({
      event: 'detection.created',
      data: {
        detection_id: expect.stringMatching(/^det_/),
        trace_id: expect.any(String),
        severity: expect.any(String),
      },
    });
    stream.close();
  });

  it('sends an event for each alert sent', async () => {
    const receiver = await startReceiver();
    const alerted = await startHttpApp({}, { alerts: { smtp: null, allowPrivateWebhooks: ['127.0.0.0/8'] } });
    const [before, tenantBefore] = [http, tenant];
    http = alerted;
    try {
      tenant = await http.newTenant('alerted');
      const channels = { webhook: { enabled: true, webhook_url: `${receiver.url}/hook` } };
      await http.services.alerts.changePreferences(tenant.tenantId, { min_severity: 'info', channels });
      const stream = open('graphruntime');
      await stream.next();
      await deliver(
        run(3, { status: 'error', error: 'Recursion limit of 25 reached without hitting a stop condition.' }),
      );
      http.clock.advance(60_000);
      await http.services.analysis.runDue(10);
      while ((await http.services.alerts.runDue(100)) > 0);
      const received = [await stream.next(), await stream.next(), await stream.next()];
      expect(received.map((frame) => frame!.event)).toEqual(['execution.finished', 'detection.created', 'alert.sent']);
      const [, found, alert] = received;
      expect(alert!.data).toMatchObject({
        channel: 'webhook',
        items: [{ detection_id: found!.data!.detection_id, trace_id: found!.data!.trace_id }],
      });
      expect(receiver.posts).toHaveLength(1);
      stream.close();
    } finally {
      await alerted.close();
      await receiver.close();
      [http, tenant] = [before, tenantBefore];
    }
  });

  it('omits runs without a platform', async () => {
    const stream = open('graphruntime');
    await stream.next();
    await http.services.ingest.ingest(tenant.tenantId, toRequest(runSpans(1)));
    http.clock.advance(60_000);
    await http.services.analysis.runDue(10);
    await deliver(run(4));
    expect(await stream.next()).toMatchObject({ event: 'execution.finished', data: { name: 'graph 4' } });
    stream.close();
  });

  it('that reconnects gets the events it missed', async () => {
    const first = open();
    const { id } = (await first.next())!;
    first.close();
    for (const n of [1, 2, 3]) await publish(n);
    const again = open('flowplatform', { 'Last-Event-ID': id! });
    const frames = [await again.next(), await again.next(), await again.next(), await again.next()];
    expect(frames.map((frame) => frame!.event)).toEqual(['connected', ...Array(3).fill('execution.started')]);
    expect(frames[0]!.id).toBeUndefined();
    expect(frames.slice(1).map((frame) => frame!.data!.n)).toEqual([1, 2, 3]);
    const later = open('flowplatform', { 'Last-Event-ID': frames[2]!.id! });
    await later.next();
    expect((await later.next())!.data).toEqual({ n: 3 });
    again.close();
    later.close();
  });

  it.each(['1', 'no-id', '99999999999999999'])('receives a gap event after %s', async (lastId) => {
    await publish(1);
    const stream = open('flowplatform', { 'Last-Event-ID': lastId });
    const frames = [await stream.next(), await stream.next(), await stream.next()];
    expect(frames.map((frame) => frame!.event)).toEqual(['connected', 'gap', 'execution.started']);
    stream.close();
    const again = open('flowplatform', { 'Last-Event-ID': frames[1]!.id! });
    await again.next();
    expect(await again.next()).toMatchObject({ event: 'execution.started', data: { n: 1 } });
    again.close();
  });

  it('sends heartbeats while idle', async () => {
    const stream = open();
    await stream.next();
    for (const beat of beats) beat();
    expect(await stream.next()).toEqual({ comment: 'still here' });
    stream.close();
  });

  it.each(['here', 'by the command line on the same store'])('ends when its key is revoked %s', async (where) => {
    const key = await http.services.apiKeys.create(tenant.tenantId, {
      name: 'short',
      scopes: ['read'],
      expiresAt: null,
    });
    const stream = open('flowplatform', {}, key.api_key);
    await stream.next();
    for (const check of checks) check();
    const other = where === 'here' ? null : await openApp({ ...DEFAULT_CONFIG, dataFolder: http.dataFolder });
    await (other ?? http).services.apiKeys.revoke(tenant.tenantId, key.key_id);
    await other?.close();
    for (const check of checks) check();
    expect(await stream.next()).toEqual({ event: 'closing', data: { reason: 'unauthenticated' } });
    expect(await stream.next()).toBeNull();
    expect(checks.size + beats.size).toBe(0);
  });

  it('that does not read is dropped, and others are not', async () => {
    const [slow, quick] = [open(), open()];
    await quick.next();
    const incoming = await slow.answered;
    incoming.pause();
    const tenantNo = await http.services.tenants.tenantNoOf(tenant.tenantId);
    const padding = 'x'.repeat(64 * 1024);
    const streams = () => http.services.streams.listenerCount(tenantNo);
    let sent = 0;
    for (; streams() > 1 && sent < 2_000; sent += 1) {
      http.services.streams.publish(tenantNo, 'flowplatform', 'execution.started', { sent, padding });
      expect((await quick.next())!.data!.sent).toBe(sent);
    }
    expect(streams()).toBe(1);
    incoming.resume();
    while ((await slow.next()) !== null);
    await publish(5);
    expect((await quick.next())!.data).toEqual({ n: 5 });
    quick.close();
  });

  it('sends `closing` when the server closes', async () => {
    const stream = open();
    await stream.next();
    http.services.streams.close();
    expect(await stream.next()).toEqual({ event: 'closing', data: { reason: 'shutdown' } });
    expect(await stream.next()).toBeNull();
  });

  it('is closed to the operator without a tenant and to guests', async () => {
    expect((await http.send({ path: '/api/v1/flowplatform/stream' })).status).toBe(401);
    const head = await http.send({ method: 'HEAD', path: '/api/v1/flowplatform/stream', credential: tenant.apiKey });
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('streams above the limit', () => {
  it.each([
    ['of one tenant', { total: 10, perTenant: 1 }, 'of this tenant'],
    ['of the server', { total: 1, perTenant: 10 }, 'of this server'],
  ])('are rejected with a retry time: %s', async (_name, maxStreams, whose) => {
    const small = await startHttpApp({ maxStreams });
    const { apiKey } = await small.newTenant();
    const path = '/api/v1/flowplatform/stream';
    const first = await fetch(small.url + path, { headers: { 'X-SVC-API-Key': apiKey } });
    const second = await small.send({ path, credential: apiKey });
    expect(second).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    expect(second.json.detail).toContain(whose);
    await first.body!.cancel();
    await vi.waitFor(async () => {
      const third = await small.send({ method: 'HEAD', path, credential: apiKey });
      expect(third.status).toBe(200);
    });
    await small.close();
  });
});
