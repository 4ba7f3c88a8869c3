import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, type Sent, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { sessionTraceId } from '../formats/hooks/session-span.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterAll(() => http.close());

const PATH = '/api/v1/traces/cli-agent/ingest';
const ingest = (body: Json, sent: Partial<Sent> = {}) =>
  http.send({ path: PATH, credential: tenant.apiKey, body, ...sent });
const read = async (path: string) => {
  const answer = await http.send({ path: `/api/v1/tenants/${tenant.tenantId}${path}`, credential: tenant.apiKey });
  expect(answer.status).toBe(200);
  return answer.json;
};
const traceOf = (sessionId: string) => read(`/traces/${sessionTraceId(sessionId)}`);

const traceIds: JsonObject = {
  timestamp: '2026-01-15T11:59:00Z',
  tool_name: 'Bash',
  hook_type: 'PostToolUse',
  session_id: 'ours',
  tool_input: { command: 'ls' },
  tool_output: 'README.md',
  working_dir: '/srv/shop',
  trace_type: 'tool',
  model: 'claude-sonnet-4-5',
  tokens_in: 900,
  tokens_out: 40,
  cost_usd: 0.01,
};
const hook = (session_id: string, hook_event_name: string, more: JsonObject = {}): JsonObject => ({
  session_id,
  transcript_path: `/x/.claude/projects/-srv-shop/${session_id}.jsonl`,
  cwd: '/srv/shop',
  hook_event_name,
  ...more,
});

describe('a record with the fields of the interface', () => {
  it('is stored, and the answer counts the accepted records', async () => {
    expect(await ingest(traceIds)).toMatchObject({
      status: 202,
      json: { accepted_records: 1, rejected_records: 0, trace_ids: [sessionTraceId('ours')], errors: [] },
    });
    const { spans } = await traceOf('ours');
    expect(spans).toHaveLength(1);
    expect(spans[0].attributes).toMatchObject({
      'gen_ai.tool.name': 'Bash',
      'gen_ai.tool.call.arguments': '{"command":"ls"}',
      'gen_ai.tool.call.result': 'README.md',
      'gen_ai.request.model': 'claude-sonnet-4-5',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.output_tokens': 40,
      'misstep.cost_usd': 0.01,
      'misstep.working_directory': '/srv/shop',
      'misstep.trace_type': 'tool',
    });
  });

  it('sent twice is stored once', async () => {
    await ingest([traceIds, traceIds]);
    await ingest(traceIds);
    expect((await traceOf('ours')).spans).toHaveLength(1);
  });

  it.each<[string, Json, string]>([
    ['no session', { ...traceIds, session_id: null }, '/session_id'],
    ['an empty session', { ...traceIds, session_id: '' }, '/session_id'],
    ['a session that is a number', { ...traceIds, session_id: 7 }, '/session_id'],
    ['an invalid time', { ...traceIds, timestamp: 'soon' }, '/timestamp'],
    ['a tool that is not text', { ...traceIds, tool_name: ['Bash'] }, '/tool_name'],
    ['an event that is not text', { ...traceIds, hook_type: 1 }, '/hook_type'],
    ['half a token', { ...traceIds, tokens_in: 0.5 }, '/tokens_in'],
    ['a negative number of tokens', { ...traceIds, tokens_out: -1 }, '/tokens_out'],
    ['a cost as text', { ...traceIds, cost_usd: 'much' }, '/cost_usd'],
    ['no event', { session_id: 's' }, '/hook_type'],
    ['no object', 'ls', ''],
    ['a hook without a session', { hook_event_name: 'Stop' }, '/session_id'],
  ])('with %s is refused, and the error names the field', async (_title, body, pointer) => {
    const answer = await ingest(body);
    expect(answer).toMatchObject({ status: 422, json: { code: 'invalid_body' } });
    expect(answer.json.errors.map((error: { pointer: string }) => pointer && error.pointer)).toContain(pointer);
  });

  it('that is invalid is rejected without the others', async () => {
    const answer = await ingest([
      { ...traceIds, session_id: 'half' },
      { ...traceIds, session_id: 'half', tokens_in: 'x' },
      7,
    ]);
    expect(answer).toMatchObject({
      status: 202,
      json: {
        accepted_records: 1,
        rejected_records: 2,
        trace_ids: [sessionTraceId('half')],
        errors: [{ pointer: '/1/tokens_in' }, { pointer: '/2' }],
      },
    });
  });

  it('may be missing', async () => {
    expect(await ingest([])).toMatchObject({ status: 202, json: { accepted_records: 0, rejected_records: 0 } });
  });
});

describe('a hook of the type http', () => {
  it.each(['SessionStart', 'PostToolUse', 'Stop', 'Notification', 'NeverHeardOf'])(
    'is answered with an empty decision: %s',
    async (event) => {
      const answer = await ingest(hook('h', event, { tool_name: 'Bash', tool_input: {}, tool_use_id: 'u' }));
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '{}' });
    },
  );

  it('accepts either credential', async () => {
    const headers = { Authorization: `Bearer ${tenant.apiKey}` };
    expect((await ingest(hook('h', 'Stop'), { credential: null, headers })).status).toBe(200);
  });

  it.each<[string, Partial<Sent>, number, string]>([
    ['no credential', { credential: null }, 401, 'unauthenticated'],
    ['the operator’s', { credential: OPERATOR_TOKEN }, 403, 'forbidden'],
    ['another type', { headers: { 'Content-Type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['no JSON', { body: Buffer.from('{'), headers: { 'Content-Type': 'application/json' } }, 400, 'malformed'],
    ['a query', { path: `${PATH}?agent=x` }, 400, 'invalid_query'],
    ['GET', { method: 'GET', body: undefined }, 405, 'method_not_allowed'],
  ])('is refused with %s', async (_title, sent, status, code) => {
    expect(await ingest(hook('h', 'Stop'), sent)).toMatchObject({ status, json: { code } });
  });

  it('may be sent with gzip', async () => {
    const body = gzipSync(JSON.stringify(hook('packed', 'SessionStart')));
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    expect((await http.send({ path: PATH, credential: tenant.apiKey, body, headers })).status).toBe(200);
  });
});

describe('headers of a sender', () => {
  const prompt = (session: string) => hook(session, 'UserPromptSubmit', { prompt: 'Once' });
  const promptsOf = async (session: string) =>
    (await traceOf(session)).spans.filter((span: { name: string }) => span.name === 'prompt');

  it.each([
    ['RFC 3339', '2026-01-15T11:58:00.250Z'],
    ['Unix milliseconds', String(Date.UTC(2026, 0, 15, 11, 58, 0, 250))],
  ])('identifies a re-sent record by the time of its first receipt: %s', async (how, time) => {
    const headers = { 'X-SVC-Received-At': time };
    for (let sending = 0; sending < 2; sending += 1) {
      expect((await ingest(prompt(how), { headers })).status).toBe(200);
      http.clock.advance(1_000);
    }
    expect(await promptsOf(how)).toMatchObject([{ started_at: '2026-01-15T11:58:00.250Z' }]);
  });

  it('stores two records for two requests without a time header', async () => {
    for (let sending = 0; sending < 2; sending += 1) {
      await ingest(prompt('silent'));
      http.clock.advance(1_000);
    }
    expect(await promptsOf('silent')).toHaveLength(2);
  });

  it('names the agent for any format of the record', async () => {
    await ingest(hook('named', 'PostToolUse', { tool_name: 'Bash', tool_use_id: 'u' }), {
      headers: { 'X-SVC-Agent': 'codex' },
    });
    const { spans } = await traceOf('named');
    expect(spans[0].attributes['misstep.framework']).toBe('codex');
  });

  it.each([
    ['an invalid time', 'X-SVC-Received-At', 'soon'],
    ['no time', 'X-SVC-Received-At', ''],
    ['a time out of range', 'X-SVC-Received-At', '999999999999999'],
    ['an unknown agent', 'X-SVC-Agent', 'claude'],
    ['a name of JavaScript as agent', 'X-SVC-Agent', 'constructor'],
  ])('with %s is refused, and the error names the header', async (_title, name, value) => {
    const answer = await ingest(prompt('refused'), { headers: { [name]: value } });
    expect(answer).toMatchObject({ status: 400, json: { code: 'malformed' } });
    expect(answer.text).toContain(name);
  });
});

describe('a session while it runs', () => {
  const failing = (number: number) => [
    hook('live', 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: `u${number}` }),
    hook('live', 'PostToolUseFailure', {
      tool_name: 'Bash',
      tool_input: { command: 'make' },
      tool_use_id: `u${number}`,
      error: 'make: *** No rule to make target',
    }),
  ];
  const sendRecords = async (...records: JsonObject[]) => {
    for (const record of records) {
      http.clock.advance(1_000);
      expect((await ingest(record)).status).toBe(200);
    }
  };
  const statusOf = async () => (await traceOf('live')).status;

  it('is analyzed within seconds while records keep arriving', async () => {
    await sendRecords(
      hook('live', 'SessionStart'),
      hook('live', 'UserPromptSubmit', { prompt: 'Build it', prompt_id: 'p1' }),
    );
    for (let number = 0; number < 6; number += 1) {
      await sendRecords(...failing(number));
      await http.services.analysis.runDue(100);
    }
    expect(await statusOf()).toBe('running');
    const { items } = await read(`/detections?trace_id=${sessionTraceId('live')}`);
    expect(items.map((item: JsonObject) => item.detection_type)).toContain('loop');
  });

  it('reports a destructive command after it ran, and not while it waits for approval', async () => {
    const call = { tool_name: 'Bash', tool_input: { command: 'cd .. && rm -rf billing' }, tool_use_id: 'rm' };
    const alertKinds = async () => {
      await http.services.analysis.runDue(100);
      const { items } = await read(`/detections?trace_id=${sessionTraceId('rm')}`);
      return items.map(({ detection_type, severity }: JsonObject) => `${detection_type} ${severity}`);
    };
    await sendRecords(
      hook('rm', 'UserPromptSubmit', { prompt: 'Make the tests quicker' }),
      hook('rm', 'PreToolUse', call),
    );
    http.clock.advance(5_000);
    expect(await alertKinds()).toEqual([]);
    await sendRecords(
      hook('rm', 'PostToolUse', { ...call, tool_response: { stdout: '', stderr: '', interrupted: false } }),
    );
    http.clock.advance(5_000);
    expect(await alertKinds()).toEqual(['role_usurpation warning']);
  });

  it('ends 24 hours after its last event if the agent was killed, and runs again after a resume', async () => {
    const call = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 'k1' };
    const analyzed = async (ms: number) => {
      http.clock.advance(ms);
      await http.services.analysis.scheduleAbandoned();
      await http.services.analysis.runDue(100);
      return traceOf('killed');
    };
    await sendRecords(
      hook('killed', 'SessionStart'),
      hook('killed', 'UserPromptSubmit', { prompt: 'Build it', prompt_id: 'p1' }),
      hook('killed', 'Stop', { last_assistant_message: 'Built.', prompt_id: 'p1' }),
    );
    expect(await analyzed(2_000)).toMatchObject({ status: 'ok', ended_by: 'completed' });
    await sendRecords(
      hook('killed', 'UserPromptSubmit', { prompt: 'And test it', prompt_id: 'p2' }),
      hook('killed', 'PreToolUse', call),
    );
    expect(await analyzed(30_000)).toMatchObject({ status: 'running' });
    const ended = await analyzed(24 * 3_600_000);
    expect(ended).toMatchObject({ status: 'ok', ended_by: 'unknown', ended_at: expect.any(String) });
    await sendRecords(hook('killed', 'PostToolUse', { ...call, tool_response: { stdout: 'ok', stderr: '' } }));
    const resumed = await analyzed(30_000);
    expect(resumed).toMatchObject({ status: 'running', span_count: ended.span_count, ended_at: null });
    await sendRecords(hook('killed', 'SessionEnd', { reason: 'other' }));
    expect(await analyzed(2_000)).toMatchObject({ status: 'ok', span_count: ended.span_count });
  });

  it('ends when the agent stops, and is running again with the next prompt', async () => {
    await sendRecords(hook('live', 'Stop', { last_assistant_message: 'I could not build it.', prompt_id: 'p1' }));
    http.clock.advance(2_000);
    await http.services.analysis.runDue(100);
    expect(await statusOf()).not.toBe('running');
    await sendRecords(hook('live', 'UserPromptSubmit', { prompt: 'Try again', prompt_id: 'p2' }));
    http.clock.advance(5_000);
    await http.services.analysis.runDue(100);
    expect(await statusOf()).toBe('running');
    await sendRecords(hook('live', 'SessionEnd', { reason: 'other' }));
    http.clock.advance(2_000);
    await http.services.analysis.runDue(100);
    const trace = await traceOf('live');
    expect(trace.status).not.toBe('running');
    expect(trace).toMatchObject({ task: 'Build it', framework: 'claude-code', session_id: 'live' });
  });
});
