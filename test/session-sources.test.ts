import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelCallSpanId, promptSpanId, sessionTraceId, toolSpanId } from '../src/formats/hooks/session-span.ts';
import { type HttpFixture, startHttpApp, type Tenant } from './support/http-app.ts';
import { logsJson } from './support/log-bodies.ts';
import { claudeCodeSession, claudeCostOf } from './support/simulated-sessions/claude-code.ts';
import { codexSession } from './support/simulated-sessions/codex.ts';
import { geminiSession, qwenSession } from './support/simulated-sessions/gemini-family.ts';
import {
  answersIn,
  callsIn,
  type ScriptUsage,
  type SessionScript,
  sessionScript,
} from './support/simulated-sessions/session-script.ts';
import type { SimulatedSession } from './support/simulated-sessions/simulated-session.ts';

/** Two hooks a call; session start and end, and prompt and stop of four turns make 200. */
const CALLS = 95;
const HOOK_CALLS = 200;

let http: HttpFixture;
beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(() => http.close());

/** The content of one request to the server. */
type Delivery = (tenant: Tenant) => Promise<void>;

function deliveriesOf({
  agent,
  hooks,
  transcript,
  logs,
}: SimulatedSession): Record<'hooks' | 'logs' | 'transcript', Delivery[]> {
  const post = async ({ apiKey }: Tenant, path: string, body: Buffer, headers: Record<string, string>) => {
    const response = await http.send({ method: 'POST', path, credential: apiKey, body, headers });
    expect({ status: response.status, text: response.text }).toMatchObject({ status: expect.toBeOneOf([200, 202]) });
  };
  const json = { 'Content-Type': 'application/json' };
  return {
    hooks: hooks.map(({ atMs, record }) => (tenant) => {
      const headers = { ...json, 'X-SVC-Agent': agent, 'X-SVC-Received-At': String(atMs) };
      return post(tenant, '/api/v1/traces/cli-agent/ingest', Buffer.from(JSON.stringify(record)), headers);
    }),
    logs: logs.map((sent) => (tenant) => post(tenant, '/v1/logs', logsJson(sent), json)),
    transcript: [
      async (tenant) => {
        const headers = { 'Content-Type': 'application/x-ndjson' };
        await post(tenant, '/api/v1/import-jobs', Buffer.from(transcript), headers);
        await http.services.imports.runDue(1);
      },
    ],
  };
}

type Sources = ReturnType<typeof deliveriesOf>;

/** Logs and hooks arrive in turn and the file last, which is the usual order. */
const alternating = ({ hooks, logs, transcript }: Sources) => {
  const each = Math.ceil(hooks.length / logs.length);
  return [...hooks.flatMap((hook, at) => (at % each === 0 ? [hook, logs[at / each]!] : [hook])), ...transcript];
};
const ORDERS: Readonly<Record<string, (sources: Sources) => Delivery[]>> = {
  'transcript, hooks, logs': ({ hooks, logs, transcript }) => [...transcript, ...hooks, ...logs],
  'hooks, logs, transcript': ({ hooks, logs, transcript }) => [...hooks, ...logs, ...transcript],
  'logs, hooks, transcript': ({ hooks, logs, transcript }) => [...logs, ...hooks, ...transcript],
  'hooks and logs in turns, transcript': alternating,
  'everything backwards': (sources) => alternating(sources).toReversed(),
  'everything twice': (sources) => [...alternating(sources), ...alternating(sources)],
};

interface ReadStep {
  span_id: string;
  name: string;
  status: { code: number };
  step: { kind: string; tokens: { total: number | null }; cost_usd: number | null };
}

/** The trace of a session as a user sees it after the analysis. */
async function traceAfter(deliveries: readonly Delivery[], { sessionId, endMs }: SessionScript) {
  const tenant = await http.newTenant();
  for (const deliver of deliveries) await deliver(tenant);
  http.clock.advance(Math.max(0, endMs - http.clock.now()) + 3_600_000);
  await http.services.analysis.runDue(10);
  const read = async (path: string) => {
    const response = await http.send({ path: `/api/v1/tenants/${tenant.tenantId}${path}`, credential: tenant.apiKey });
    expect(response.status).toBe(200);
    return response.json;
  };
  const { items } = await read('/traces');
  expect(items.map((item: { trace_id: string }) => item.trace_id)).toEqual([sessionTraceId(sessionId)]);
  const { spans, ...trace } = await read(`/traces/${sessionTraceId(sessionId)}`);
  return { trace, steps: spans as ReadStep[] };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const tokensOf = ({ fresh, cacheRead, cacheWrite, output }: ScriptUsage) => fresh + cacheRead + cacheWrite + output;

describe('a session of Claude Code with 200 hook calls', () => {
  const script = sessionScript(11, CALLS);
  const result = claudeCodeSession(script);
  const { sessionId, turns } = script;
  const usages = answersIn(script).map(({ usage }) => usage);
  const names = { read: 'Read', edit: 'Edit', shell: 'Bash' };
  const steps = turns.flatMap(({ promptId, answers }) => [
    `prompt ${promptSpanId(sessionId, promptId)}`,
    ...answers.flatMap(({ id, calls }) => [
      `chat ${modelCallSpanId(sessionId, id)}`,
      ...calls.map((call) => `${names[call.use]} ${toolSpanId(sessionId, call.id)}`),
    ]),
  ]);
  const failed = callsIn(script).filter(({ exitCode }) => exitCode !== null && exitCode !== 0);

  test('has 200 hook calls', () => {
    expect(result.hooks).toHaveLength(HOOK_CALLS);
    expect(failed.length).toBeGreaterThan(5);
  });

  test.each(Object.keys(ORDERS))('%s: one trace, each step once', async (order) => {
    const { trace, steps: read } = await traceAfter(ORDERS[order]!(deliveriesOf(result)), script);
    expect(read.slice(1).map(({ name, span_id }) => `${name} ${span_id}`)).toEqual(steps);
    expect(read.filter(({ status }) => status.code === 2).map(({ span_id }) => span_id)).toEqual(
      failed.map(({ id }) => toolSpanId(sessionId, id)),
    );
    expect(read.flatMap(({ step }) => step.tokens.total ?? [])).toEqual(usages.map(tokensOf));
    for (const [at, cost] of read.flatMap(({ step }) => step.cost_usd ?? []).entries())
      expect(cost).toBeCloseTo(claudeCostOf(usages[at]!), 9);
    expect(trace).toMatchObject({
      name: 'Steering the boat',
      task: turns[0]!.prompt,
      status: 'ok',
      ended_by: 'completed',
      branch: 'steer',
      project: '/srv/boat',
      total_tokens: sum(usages.map(tokensOf)),
      cost_usd: expect.closeTo(sum(usages.map(claudeCostOf)), 6),
      final_output: turns.at(-1)!.answers.at(-1)!.words,
    });
  });
});

const COMBINATIONS: Readonly<Record<string, (sources: Sources) => Delivery[]>> = {
  'hooks and transcript': ({ hooks, transcript }) => [...hooks, ...transcript],
  'logs and transcript': ({ logs, transcript }) => [...logs, ...transcript],
  'hooks and logs': ({ hooks, logs }) => [...hooks, ...logs],
  'hooks, logs and transcript': alternating,
};

describe.each([
  ['Codex', codexSession],
  ['Gemini CLI', geminiSession],
  ['Qwen Code', qwenSession],
])('a session of %s', (_agent, log) => {
  const script = sessionScript(12, 24);
  const results = log(script);
  const usages = answersIn(script).map(({ usage: { fresh, cacheRead, output } }) => fresh + cacheRead + output);
  const kinds = script.turns.flatMap(({ answers }) => [
    'message',
    ...answers.flatMap(({ calls }) => ['llm', ...calls.map(() => 'tool')]),
  ]);
  const failures = callsIn(script).map(({ exitCode }) => exitCode !== null && exitCode !== 0);

  test.each(Object.keys(COMBINATIONS))('%s: one trace, each step once, in both directions', async (combination) => {
    const deliveries = COMBINATIONS[combination]!(deliveriesOf(results));
    const outlines: string[][] = [];
    for (const inOrder of [deliveries, deliveries.toReversed()]) {
      const { trace, steps } = await traceAfter(inOrder, script);
      expect(steps.slice(1).map(({ step }) => step.kind)).toEqual(kinds);
      const tools = steps.filter(({ step }) => step.kind === 'tool');
      expect(tools.map(({ status }) => status.code === 2)).toEqual(failures);
      expect(steps.flatMap(({ step }) => step.tokens.total ?? [])).toEqual(usages);
      expect(trace).toMatchObject({
        task: script.turns[0]!.prompt,
        status: 'ok',
        total_tokens: sum(usages),
        final_output: script.turns.at(-1)!.answers.at(-1)!.words,
      });
      outlines.push(steps.slice(1).map(({ name, span_id, step }) => `${name} ${span_id} ${step.cost_usd}`));
    }
    expect(outlines[1]).toEqual(outlines[0]);
  });
});
