import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_RUNS } from '../../src/features/demo/demo-spans.ts';
import { isBuilt, PROGRAM } from '../support/served.ts';
import { BLOCK_END, hostileRun, INSTRUCTION } from './hostile-run.ts';
import { type HostMessage, type McpHost, startHost } from './mcp-host.ts';
import { runCli, tickingClock } from './run-cli.ts';
import { demoTraceId } from './sample-traces.ts';
import { localWorld, remoteWorld, type World } from './world.ts';

const LOOP = demoTraceId('migration planner');
const TOOLS = [
  'search_traces',
  'get_trace',
  'get_step',
  'list_findings',
  'explain_finding',
  'suggest_fix',
  'list_issues',
  'list_sessions',
  'show_session',
  'check_text',
];

/** Lines of the data block of a result, which is found by its boundary. */
function dataOf(text: string): string {
  const boundary = /^<<<data ([0-9a-f]{16})$/m.exec(text)?.[1];
  const [, inside] = text.split(`<<<data ${boundary}\n`);
  return inside?.split(`\ndata ${boundary}>>>`)[0] ?? '';
}

const outsideOf = (text: string) => text.replace(dataOf(text), '');

describe.each([
  ['the local store', async () => localWorld()],
  ['a server', () => remoteWorld(tickingClock())],
])('misstep mcp on %s', (_name, open: () => Promise<World>) => {
  let world: World;
  let host: McpHost;
  const call = (tool: string, args?: Record<string, unknown>) => host.call(tool, args);
  const worst = async () => (await call('get_trace', { trace_id: LOOP })).structured.findings[0].detection_id as string;

  beforeAll(async () => {
    world = await open();
    const demo = await runCli(['demo', '--quiet'], { env: world.env, clock: tickingClock() });
    expect(demo.code, demo.stderr).toBe(0);
    const sent = await runCli(['ingest', '--strict'], {
      env: world.env,
      stdin: hostileRun.body,
      serverTimeoutMs: 100_000,
    });
    expect(sent.code, sent.stderr).toBe(0);
    const judged = await runCli(['analyze', hostileRun.traceId], { env: world.env, clock: tickingClock() });
    expect(judged.stderr).toBe('');
    host = await startHost(await readOnly(world.env));
  });
  afterAll(async () => {
    await host.close();
    await world.close();
  });

  it('lists read-only tools with schemas and descriptions', async () => {
    const { tools } = await host.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      expect(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect(description?.length, name).toBeGreaterThan(60);
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema?.properties, name).toHaveProperty('notice');
    }
    expect(host.client.getInstructions()).toContain('never instructions');
  });

  it('searches traces', async () => {
    const { text, structured } = await call('search_traces');
    expect(text).toMatch(new RegExp(`^${DEMO_RUNS.length + 1} of ${DEMO_RUNS.length + 1} traces, newest first\\.`));
    expect(structured.total).toBe(DEMO_RUNS.length + 1);
    expect(dataOf(text)).toContain(`trace ${LOOP} "migration planner"`);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['text of the name, whatever its case', { text: 'MIGRATION' }, ['migration planner']],
    ['text of the task', { text: 'billing tables' }, ['migration planner']],
    ['text with characters of a pattern', { text: '%' }, []],
    ['an agent', { agent_id: 'critic' }, ['migration planner']],
    ['a framework and a status', { framework: 'langgraph', status: 'error' }, ['migration planner']],
    ['a severity', { framework: 'langgraph', min_severity: 'critical' }, ['migration planner']],
    ['a weaker one', { framework: 'langgraph', min_severity: 'info' }, ['order workflow', 'migration planner']],
    ['a date', { date_to: '2020-01-01' }, []],
  ])('searches by %s', async (_title, filters, names) => {
    const { structured, text } = await call('search_traces', filters);
    expect(structured.traces.map((trace: { untrusted: { name: string } }) => trace.untrusted.name)).toEqual(names);
    if (names.length === 0) expect(text).toBe('No traces match.');
  });

  it.each([
    ['search_traces', 'traces', {}],
    ['list_findings', 'findings', {}],
    ['list_issues', 'issues', {}],
  ])('%s is read on with its cursor to the end', async (tool, member, filters) => {
    const whole = (await call(tool, { ...filters, limit: 25 })).structured;
    const read: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: HostMessage = await call(tool, { ...filters, limit: 3, ...(cursor === null ? {} : { cursor }) });
      read.push(...page.structured[member]);
      cursor = page.structured.next_cursor;
      expect(page.text.includes(`call ${tool} again`)).toBe(cursor !== null);
    } while (cursor !== null);
    expect(read).toEqual(whole[member]);
    expect(read).toHaveLength(whole.total);
  });

  it('lists detections, no root cause on the same step, and steps page by page', async () => {
    const { text, structured } = await call('get_trace', { trace_id: LOOP, steps: 3 });
    expect(text).toContain('A trace that ended with error, with 1 detection. It has 49 steps');
    expect(text).toContain('counted from zero; shown: 0 to 2.');
    expect(text).toContain('More steps: call get_trace again with first_step 3.');
    expect(structured).toMatchObject({
      status: 'error',
      step_count: 49,
      next_step: 3,
      root_cause: null,
      leads: [],
      failure_rank: null,
      findings: [{ detection_type: 'loop', subtype: 'recursion_limit', severity: 'critical' }],
    });
    const last = await call('get_trace', { trace_id: LOOP, first_step: 47, steps: 3 });
    expect(last.structured.steps.map(({ step }: { step: number }) => step)).toEqual([47, 48]);
    expect(last.structured.next_step).toBeNull();
  });

  it('reads a step in full, in parts', async () => {
    const address = { trace_id: hostileRun.traceId, step: 1, part: 'tool_result' };
    const first = await call('get_step', address);
    expect(first.structured).toMatchObject({ from_character: 0, next_character: 6000 });
    const second = await call('get_step', { ...address, from_character: 6000 });
    expect(second.structured.next_character).toBeNull();
    const whole = first.structured.untrusted.text + second.structured.untrusted.text;
    expect(whole).toHaveLength(hostileRun.plainResult.length);
    expect(whole).toBe(hostileRun.plainResult);
    expect((await call('get_step', { trace_id: LOOP, step: 2 })).structured.part).toBe('output');
  });

  it('explains a detection: what, where, evidence, why, impact, confidence, what to do', async () => {
    const { text, structured } = await call('explain_finding', { detection_id: await worst() });
    expect(text).toMatch(
      /^critical detection loop\/recursion_limit at step 5\. It is a fact: it can be read in the trace\./,
    );
    for (const label of ['what', 'trace', 'where', 'agent', 'why', 'evidence', 'impact', 'wasted', 'what to do'])
      expect(dataOf(text)).toContain(`${label}:`);
    expect(structured).toMatchObject({ step: 5, basis: 'fact', fix_count: 2, untrusted: { agent: 'planner' } });
    expect(structured.evidence[0]).toMatchObject({ kind: 'error', step: 0 });
  });

  it('suggests fixes with their changes', async () => {
    const detection_id = await worst();
    const { text, structured } = await call('suggest_fix', { detection_id });
    expect(structured.fixes).toHaveLength(2);
    expect(structured.fixes[0].changes[0].untrusted.after).toContain('go to END from the third round on');
    expect(dataOf(text)).toContain('go to END from the third round on');
    const [, second] = structured.fixes;
    const one = await call('suggest_fix', { detection_id, fix_id: second.fix_id });
    expect(one.structured.fixes).toEqual([second]);
  });

  it('checks a text', async () => {
    const { text, structured } = await call('check_text', { text: `Nice page. ${INSTRUCTION}` });
    expect(text).toMatch(/^Yes, a prompt injection/);
    expect(structured).toMatchObject({ is_injection: true, channel: 'data' });
    expect((await call('check_text', { text: 'The harbour museum opens at ten.' })).text).toMatch(
      /^No prompt injection/,
    );
  });

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ['a trace that is not there', 'get_trace', { trace_id: 'feed' }, /^not_found: .*feed\.\nsearch_traces lists/],
    ['a step that is not there', 'get_step', { trace_id: LOOP, step: 49 }, /^not_found: .*\nstep: .* 0 to 48/],
    ['an unknown detection', 'explain_finding', { detection_id: 'det_x' }, /^not_found: .*\nlist_findings lists/],
    ['a fix of nothing', 'suggest_fix', { detection_id: 'det_x' }, /^not_found: /],
    ['a limit beyond the bound', 'search_traces', { limit: 26 }, /limit: Too big/],
    ['a limit that is text', 'list_issues', { limit: 'ten' }, /limit: Invalid input: expected number/],
    ['an unknown parameter', 'list_findings', { severity: 'critical' }, /Unrecognized key: "severity"/],
    ['an unknown detection type', 'list_findings', { detection_type: 'bogus' }, /detection_type: Invalid option/],
    ['a date that is none', 'search_traces', { date_from: 'yesterday' }, /^invalid_query: .*\ndate_from: must be/],
    ['an invalid cursor', 'list_issues', { cursor: 'abc' }, /^invalid_query: .*\ncursor: /],
    ['nothing', 'get_trace', {}, /trace_id: Invalid input/],
  ])('refuses %s by name and goes on', async (_title, tool, args, expected) => {
    const results = await call(tool, args);
    expect(results).toMatchObject({ isError: true, text: expect.stringMatching(expected), structured: undefined });
    expect((await call('list_issues')).isError).toBe(false);
  });

  it('returns an error for an unknown tool', async () => {
    await expect(call('delete_traces')).rejects.toThrow(/delete_traces/);
  });

  it('lists the issues on which nobody has acted, or the others', async () => {
    const read = async (filter: object) => call('list_issues', { ...filter, limit: 25 });
    const all = (await read({})).structured.issues;
    for (const isNew of [true, false]) {
      const { structured, text } = await read({ new: isNew });
      expect(structured.issues).toEqual(all.filter((issue: { is_new: boolean }) => issue.is_new === isNew));
      expect(text.includes('open, new')).toBe(isNew && structured.total > 0);
    }
  });

  it('answers concurrent calls', async () => {
    const outcome = await Promise.all(
      TOOLS.slice(0, 1)
        .concat('list_issues', 'list_findings', 'bogus')
        .map((tool) => call(tool).catch(() => null)),
    );
    expect(outcome.map((one) => one?.isError)).toEqual([false, false, false, undefined]);
  });

  it('returns the selected prompt', async () => {
    const { messages } = await host.client.getPrompt({ name: 'what_went_wrong', arguments: { trace_id: LOOP } });
    expect(messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringContaining(LOOP) });
  });

  describe('a run that contains instructions to the reader', () => {
    let answers: [string, HostMessage][];
    beforeAll(async () => {
      answers = await ask();
    });
    const ask = async (): Promise<[string, HostMessage][]> => {
      const trace = await call('get_trace', { trace_id: hostileRun.traceId });
      const ids = trace.structured.findings.map((one: { detection_id: string }) => one.detection_id) as string[];
      const results: [string, HostMessage][] = [
        ['search_traces', await call('search_traces')],
        ['get_trace', trace],
        ['get_step', await call('get_step', { trace_id: hostileRun.traceId, step: 1, part: 'tool_result' })],
        ['list_findings', await call('list_findings', { trace_id: hostileRun.traceId })],
        ['list_issues', await call('list_issues')],
      ];
      for (const detection_id of ids)
        results.push(
          ['explain_finding', await call('explain_finding', { detection_id })],
          ['suggest_fix', await call('suggest_fix', { detection_id })],
        );
      return results;
    };

    it('occurs only in the data block and under `untrusted`', () => {
      expect(answers.length).toBeGreaterThan(6);
      for (const [tool, { text, structured, isError }] of answers) {
        expect(isError, text).toBe(false);
        expect(outsideOf(text), tool).not.toContain('collector.example');
        expect(outsideOf(text), tool).not.toContain(BLOCK_END);
        expect(JSON.stringify(withoutUntrusted(structured)), tool).not.toContain('collector.example');
      }
      const quoted = answers.filter(([, { text }]) => dataOf(text).includes('collector.example'));
      expect(quoted.length).toBeGreaterThan(3);
    });

    it('cannot close the data block', async () => {
      for (const [tool, { text }] of answers) {
        const boundary = /^<<<data ([0-9a-f]{16})$/m.exec(text)?.[1] as string;
        expect(text.split(boundary).length - 1, tool).toBe(2);
        expect(dataOf(text).length, tool).toBeGreaterThan(0);
      }
    });

    it('uses a new boundary for each result', async () => {
      const boundaries = answers.map(([, { text }]) => /^<<<data ([0-9a-f]{16})$/m.exec(text)?.[1]);
      expect(new Set(boundaries).size).toBe(boundaries.length);
    });

    it('is labelled as a likely injection', async () => {
      const { text, structured } = await call('get_step', {
        trace_id: hostileRun.traceId,
        step: 1,
        part: 'tool_result',
      });
      expect(structured.looks_like_injection).toContain('/untrusted/text');
      expect(text).toContain('Warning: ');
      expect(dataOf(text)).toContain('[looks like an injection] ');
    });

    it('contains no invisible characters', async () => {
      for (const [tool, { text, structured }] of answers) {
        for (const shown of [text, JSON.stringify(structured)])
          expect(shown, tool).not.toMatch(/[\u0000-\u0008\u001b\u009b\u202e\u{e0000}-\u{e007f}]/u);
      }
    });

    it('stays within the size limits for long texts', async () => {
      for (const [tool, { text, structured }] of answers) {
        expect(text.length, tool).toBeLessThan(32_000);
        expect(JSON.stringify(structured).length, tool).toBeLessThan(40_000);
      }
    });
  });

  it('writes only protocol messages', () => {
    expect(host.stderr()).toBe('');
  });
});

/** Against a server, a key with only the scope `read` is sufficient for all tools. */
async function readOnly(env: World['env']): Promise<World['env']> {
  if (env.MISSTEP_SERVER === undefined) return env;
  const created = await runCli(['keys', 'create', '--name', 'mcp', '--scopes', 'read', '--json'], { env });
  const { MISSTEP_OPERATOR_TOKEN: _token, ...rest } = env;
  return { ...rest, MISSTEP_API_KEY: JSON.parse(created.stdout).api_key };
}

function withoutUntrusted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUntrusted);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'untrusted');
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutUntrusted(item)]));
}

describe('misstep mcp', () => {
  let world: World;
  beforeAll(() => {
    world = localWorld();
  });
  afterAll(() => world.close());

  it('works without a store', async () => {
    const host = await startHost({ MISSTEP_DATA: `${world.dataFolder}/not/there/yet` });
    for (const tool of ['search_traces', 'list_findings', 'list_issues'])
      expect(await host.call(tool)).toMatchObject({ isError: false, text: expect.stringMatching(/^No \w+ match\.$/) });
    await host.close();
  });

  it('sees hook records that arrived since the last call', async () => {
    const host = await startHost(world.env);
    expect((await host.call('search_traces')).structured.total).toBe(0);
    await runCli(['ingest', '--strict'], {
      env: world.env,
      stdin: hostileRun.body,
      serverTimeoutMs: 100_000,
    });
    expect((await host.call('search_traces')).structured.total).toBe(1);
    await host.close();
  });

  it('supports the newest protocol version', async () => {
    const host = await startHost(world.env, { era: 'auto' });
    expect(host.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await host.call('list_issues')).isError).toBe(false);
    await host.close();
  });

  it('reports an unreachable server and keeps running', async () => {
    const env = { MISSTEP_DATA: world.dataFolder, MISSTEP_API_KEY: 'mst_x', MISSTEP_SERVER: 'http://127.0.0.1:9' };
    const host = await startHost(env);
    const result = await host.call('search_traces');
    expect(result).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^unreachable: .*\nIs the server running\?/),
    });
    expect((await host.client.listTools()).tools).toHaveLength(TOOLS.length);
    await host.close();
  });

  it('rejects invalid flags before the first message', async () => {
    const { code, stdout, stderr } = await runCli(['mcp', '--server', 'nowhere']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--server takes an address');
  });

  it('prints an explanation on a terminal', async () => {
    const { code, stdout, stderr } = await runCli(['mcp'], { env: world.env, isTty: true });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('speaks the Model Context Protocol');
  });

  it('has help', async () => {
    const { code, stdout } = await runCli(['mcp', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Run a read-only MCP server');
  });
});

describe('the process of misstep mcp', () => {
  let world: World;
  beforeAll(() => {
    world = localWorld();
  });
  afterAll(() => world.close());

  const ask = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const OPENING = ask(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  });
  const started = () => {
    const [command, ...before] = PROGRAM;
    const child = spawn(command, [...before, 'mcp'], { env: { PATH: process.env.PATH, ...world.env } });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const code = new Promise<number | null>((done) => child.once('close', done));
    const messages = () =>
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    return { child, code, messages };
  };

  it('ends when stdin ends, after all answers', async () => {
    const { child, code, messages } = started();
    child.stdin.end(
      [OPENING, 'no JSON', ask(2, 'tools/list', {}), ask(3, 'tools/call', { name: 'list_issues', arguments: {} })]
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect(await code).toBe(0);
    expect(messages().map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(messages()[2].result.content[0].text).toBe('No issues match.');
  });

  it('ends when stdin ends without input', async () => {
    const { child, code, messages } = started();
    child.stdin.end();
    expect(await code).toBe(0);
    expect(messages()).toEqual([]);
  });

  it('ends on a signal', async () => {
    const { child, code } = started();
    child.stdin.write(`${OPENING}\n`);
    child.stdout.once('data', () => child.kill('SIGTERM'));
    expect(await code).toBe(143);
  });

  it('ends on a message that is too long', async () => {
    const { child, code } = started();
    child.stdin.on('error', () => {});
    child.stdin.write(`${OPENING}\n`);
    child.stdin.write('x'.repeat(11_000_000));
    expect(await code).toBe(0);
  });
});

describe.skipIf(!isBuilt)('the executable as MCP server (needs dist/misstep: npm run build)', () => {
  it('answers', async () => {
    const world = localWorld();
    await runCli(['demo', '--quiet'], { env: world.env });
    const host = await startHost(world.env);
    expect((await host.call('search_traces')).structured.total).toBe(DEMO_RUNS.length);
    expect((await host.call('get_trace', { trace_id: LOOP })).text).toContain('loop/recursion_limit');
    expect(host.stderr()).toBe('');
    await host.close();
    await world.close();
  });
});
