import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import type { JsonObject } from '../core/json.ts';
import type { StreamEvent } from '../features/streams/stream-event.ts';
import { openClawTraceId } from '../formats/openclaw/session-span.ts';

let http: HttpFixture;
let tenant: Tenant;
let webhook: string;
let events: StreamEvent[];
let count: number;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant('desk');
  count = 0;
  events = [];
  const body = { name: 'Gardener', external_id: 'main' };
  const credential = tenant.apiKey;
  const agent = await http.send({ method: 'POST', path: '/api/v1/agentsession/agents', credential, body });
  webhook = agent.json.webhook.path;
  const tenantNo = await http.services.tenants.tenantNoOf(tenant.tenantId);
  const listener = { receive: (event: StreamEvent) => void events.push(event), end: () => {} };
  http.services.streams.subscribe(tenantNo, 'agentsession', null, listener);
});
afterEach(() => http.close());

const SESSION = 'garden-1';
const NAMES = { sessionId: SESSION, sessionKey: 'agent:main:main', agentId: 'main' };

async function post(body: object): Promise<void> {
  const answer = await http.send({ method: 'POST', path: webhook, body: Buffer.from(JSON.stringify(body)) });
  expect(answer.status, answer.text).toBe(202);
}

const now = () => new Date(http.clock.now()).toISOString();
const hook = (name: string, event: JsonObject) => post({ hook: name, event, ctx: NAMES, timestamp: now() });
const line = (body: JsonObject) => post({ session: { id: SESSION, key: NAMES.sessionKey }, events: [body] });

/** A tool call as plugin hooks, and as lines of a transcript. */
async function callByHooks(): Promise<void> {
  count += 1;
  const call = { toolName: 'vent', params: { open: count }, toolCallId: `c${count}` };
  await hook('before_tool_call', call);
  http.clock.advance(1_000);
  await hook('after_tool_call', { ...call, result: { content: [{ type: 'text', text: `open ${count}` }] } });
}

async function callByLines(): Promise<void> {
  count += 1;
  const id = `c${count}`;
  const callParts = [{ type: 'toolCall', id, name: 'vent', arguments: { open: count } }];
  const model = { role: 'assistant', content: callParts, provider: 'openai', model: 'gpt-4o', stopReason: 'toolUse' };
  await line({ type: 'message', id: `m${count}`, timestamp: now(), message: model });
  http.clock.advance(1_000);
  const message = { role: 'toolResult', toolCallId: id, toolName: 'vent', content: [{ type: 'text', text: 'open' }] };
  await line({ type: 'message', id: `r${count}`, timestamp: now(), message });
}

const endByHook = () => hook('session_end', { sessionId: SESSION, reason: 'idle' });
const endByRecord = () =>
  line({
    traceSchema: 'openclaw-trajectory',
    type: 'session.ended',
    ts: now(),
    sessionId: SESSION,
    runId: 'r',
    data: { status: 'success' },
  });

/** Advances the clock in steps and runs due analyses. */
async function pass(ms: number): Promise<void> {
  for (let step = 0; step < ms; step += 1_000) {
    http.clock.advance(1_000);
    await http.services.analysis.runDue(100);
  }
}

async function status(): Promise<string> {
  const path = `/api/v1/tenants/${tenant.tenantId}/traces/${openClawTraceId(SESSION)}`;
  return (await http.send({ path, credential: tenant.apiKey })).json.status;
}

const finished = () => events.filter(({ event }) => event === 'execution.finished');

describe('a session of OpenClaw', () => {
  it.each<[string, () => Promise<void>, () => Promise<void>]>([
    ['by hooks', callByHooks, endByHook],
    ['by lines of its transcript', callByLines, endByRecord],
  ])('%s runs until its end event, and finishes once', async (_name, call, end) => {
    for (let round = 0; round < 4; round += 1) {
      await call();
      await pass(8_000);
      expect(await status()).toBe('running');
      expect(finished()).toEqual([]);
    }
    expect(events.map(({ event }) => event).filter((event) => event === 'execution.started')).toHaveLength(1);
    await end();
    await pass(60_000);
    expect(await status()).toBe('ok');
    expect(finished()).toMatchObject([{ data: { status: 'ok', trace_id: openClawTraceId(SESSION) } }]);
  });

  it.each([
    ['by hooks', callByHooks],
    ['by lines of its transcript', callByLines],
  ])('%s without an end event ends after 30 s without records, and finishes once', async (_name, call) => {
    await call();
    await pass(29_000);
    expect([await status(), finished().length]).toEqual(['running', 0]);
    await pass(60_000);
    expect([await status(), finished().length]).toEqual(['ok', 1]);
    await http.services.analysis.analyzeTrace(tenant.tenantId, openClawTraceId(SESSION));
    expect(finished()).toHaveLength(1);
  });

  it.each([
    ['its end event', endByHook],
    ['its idle time', async () => {}],
  ])('that continues after %s runs again and finishes again', async (_name, end) => {
    await callByHooks();
    await end();
    await pass(60_000);
    expect([await status(), finished().length]).toEqual(['ok', 1]);
    await callByHooks();
    await pass(8_000);
    expect([await status(), finished().length]).toEqual(['running', 1]);
    expect(events.at(-1)).toMatchObject({ event: 'execution.updated', data: { status: 'running' } });
    await pass(60_000);
    expect([await status(), finished().length]).toEqual(['ok', 2]);
  });
});
