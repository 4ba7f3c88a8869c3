import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeSpool, encodeEntry } from '../../src/features/spool/spool-entry.ts';
import { appendEntry } from '../../src/features/spool/spool-writer.ts';
import { NOW, runCli, tickingClock } from './run-cli.ts';
import { demoBody, demoTraceId } from './sample-traces.ts';
import { localWorld, remoteWorld, type World } from './world.ts';

const HOOKS = ['PreToolUse', 'PostToolUse'].map((hook_event_name) =>
  JSON.stringify({
    session_id: 'session-1',
    hook_event_name,
    cwd: '/srv/app',
    tool_name: 'Bash',
    tool_use_id: 'use-1',
    tool_input: { command: 'ls' },
    ...(hook_event_name === 'PostToolUse' ? { tool_response: { stdout: 'a\nb' } } : {}),
  }),
);
const HOOK_PATH = '/api/v1/traces/cli-agent/ingest';
const NOBODY = 'http://127.0.0.1:9';
const clock = tickingClock();

let world: World;
const spoolOf = (kind: string) => {
  const folder = join(world.dataFolder, kind);
  return existsSync(folder) ? readdirSync(folder) : [];
};
/** Files that are spooled for a server. */
const keptFiles = () =>
  spoolOf('spool-remote').flatMap((folder) => spoolOf(join('spool-remote', folder)).map((name) => `${folder}/${name}`));
/** The long timeout prevents a slow machine from looking like an unreachable server. */
const ingest = (stdin: string | Buffer, argv: string[] = [], env: Record<string, string> = {}) =>
  runCli(['ingest', ...argv], { stdin, clock, env: { ...world.env, ...env }, serverTimeoutMs: 100_000 });
const run = (...argv: string[]) => runCli(argv, { clock, env: world.env });
const listed = async () => JSON.parse((await run('traces', 'list', '--json')).stdout).items;

describe('misstep ingest into the local store', () => {
  beforeEach(() => {
    world = localWorld();
  });
  afterEach(() => world.close());

  it('prints nothing, and the next command sees the record', async () => {
    expect(await ingest(demoBody('migration planner'))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(spoolOf('spool')).toHaveLength(1);
    const [trace] = await listed();
    expect(trace).toMatchObject({
      trace_id: demoTraceId('migration planner'),
      detection_count: 1,
      max_severity: 'critical',
    });
    expect(spoolOf('spool')).toEqual([]);
  });

  it('joins the start and end of a tool call from two hook records', async () => {
    for (const hook of HOOKS) await ingest(hook);
    const [{ trace_id }] = await listed();
    const trace = JSON.parse((await run('traces', 'show', trace_id, '--json')).stdout);
    expect(trace.spans).toHaveLength(1);
    expect(trace.spans[0].duration_ms).not.toBeNull();
  });

  it('stores records for another tenant by name', async () => {
    for (const name of ['acme', 'other']) await run('tenants', 'create', '--name', name);
    await ingest(demoBody('support triage'), ['--tenant', 'acme']);
    // A read-only command without `--tenant` uses the only one that has traces.
    expect(await listed()).toMatchObject([{ trace_id: demoTraceId('support triage') }]);
    const acme = await run('traces', 'list', '--tenant', 'acme');
    expect(acme.stdout).toContain(demoTraceId('support triage'));
    const other = await run('traces', 'list', '--tenant', 'other', '--json');
    expect(JSON.parse(other.stdout).items).toEqual([]);
  });

  it('stores a file once although the process ended between commit and deletion', async () => {
    await ingest(demoBody('support triage'));
    const [name] = spoolOf('spool');
    const file = join(world.dataFolder, 'spool', name as string);
    const entry = { receivedAtMs: NOW, contentType: null, tenantId: null, body: Buffer.from(HOOKS[0] as string) };
    expect(await listed()).toHaveLength(1);
    // A crash between commit and deletion leaves the file under its claimed name. Its content differs here, so that a second ingest would be noticed.
    writeFileSync(`${file}.draining`, encodeEntry(entry));
    expect(await listed()).toHaveLength(1);
    expect(spoolOf('spool')).toEqual([]);
  });

  it('reports unreadable records and stores the others', async () => {
    await ingest('{"what":"is this"}');
    await ingest(demoBody('support triage'));
    const { stdout, stderr } = await run('traces', 'list');
    expect(stderr).toMatch(/^misstep: spool .*no known format/);
    expect(stdout).toContain(demoTraceId('support triage'));
  });

  it('drops silently when the spool is full and reports it later', async () => {
    const env = { MISSTEP_SPOOL_MAX_BYTES: '3000' };
    expect(await ingest('{"a":1}', [], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await ingest(demoBody('support triage'), [], env)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await ingest(demoBody('support triage'), ['--strict'], env)).toMatchObject({ code: 75, stdout: '' });
    expect((await run('traces', 'list')).stderr).toContain('2 records lost because the spool was full');
  });

  const rows: [string, string[], string, number, RegExp][] = [
    ['nothing on standard input', [], '', 2, /^misstep: ingest: the input is empty\n$/],
    ['a flag it does not know', ['--bogus'], '{}', 2, /^misstep: ingest: ingest does not know "--bogus"\n$/],
    ['a flag without its value', ['--data'], '{}', 2, /^misstep: ingest: --data needs a value\n$/],
    ['a data folder that is a file', ['--data', '/dev/null'], '{}', 3, /^misstep: ingest: /],
  ];
  it.each(rows)('fails open on %s', async (_name, argv, stdin, code, message) => {
    expect(await ingest(stdin, argv)).toMatchObject({ code: 0, stdout: '' });
    const strict = await ingest(stdin, ['--strict', ...argv]);
    expect(strict).toMatchObject({ code, stdout: '' });
    expect(strict.stderr).toMatch(message);
  });

  it('creates the spool owner-only', async () => {
    await ingest('{}');
    const [name] = spoolOf('spool');
    expect(statSync(join(world.dataFolder, 'spool')).mode & 0o077).toBe(0);
    expect(statSync(join(world.dataFolder, 'spool', name as string)).mode & 0o077).toBe(0);
  });

  it.skipIf(process.getuid?.() === 0)('fails open where the folder is closed to it', async () => {
    chmodSync(world.dataFolder, 0o500);
    expect(await ingest('{}')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('accepts flags before its name', async () => {
    const result = await runCli(['--data', world.dataFolder, 'ingest', '--verbose'], { stdin: '{}' });
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/^misstep: ingest: 2 bytes spooled in /);
  });

  it('has help', async () => {
    const { code, stdout } = await runCli(['ingest', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--strict');
  });
});

describe('misstep ingest against a server', () => {
  beforeEach(async () => {
    world = await remoteWorld(clock);
  });
  afterEach(() => world.close());

  it.each([
    ['OTLP as it is', () => demoBody('support triage')],
    ['OTLP as lines', () => `${demoBody('support triage')}\n${demoBody('refund desk')}\n`],
    ["a hook's call", () => HOOKS.join('\n')],
  ])('sends %s', async (_name, body) => {
    expect(await ingest(body(), ['--strict'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await listed()).length).toBeGreaterThan(0);
    expect(keptFiles()).toEqual([]);
  });

  it('spools a record that it could not send and sends it with the next call', async () => {
    const server = world.env.MISSTEP_SERVER as string;
    const away = await startProxy(server);
    away.isAvailable = false;
    const env = { MISSTEP_SERVER: away.url };
    expect(await ingest(demoBody('support triage'), [], env)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await ingest(demoBody('refund desk'), ['--strict'], env)).toMatchObject({ code: 0 });
    expect(await listed()).toEqual([]);
    away.isAvailable = true;
    await ingest(demoBody('order workflow'), ['--strict'], env);
    await away.close();
    expect((await listed()).map((trace: { trace_id: string }) => trace.trace_id).sort()).toEqual(
      ['support triage', 'refund desk', 'order workflow'].map(demoTraceId).sort(),
    );
    expect(keptFiles()).toEqual([]);
  });

  it.each([
    ['a call that names its agent', ['--agent', 'claude-code']],
    ['a call whose record tells', []],
  ])('sends again what was stored but not answered, and it is one record: %s', async (_name, argv) => {
    const deaf = await startProxy(world.env.MISSTEP_SERVER as string);
    deaf.dropsResponses = true;
    const prompt = JSON.stringify({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'Once', cwd: '/' });
    await ingest(prompt, argv, { MISSTEP_SERVER: deaf.url });
    expect(keptFiles()).toHaveLength(1);
    deaf.dropsResponses = false;
    await ingest(prompt.replace('Once', 'Then'), [...argv, '--strict'], { MISSTEP_SERVER: deaf.url });
    await deaf.close();
    expect(keptFiles()).toEqual([]);
    expect(deaf.paths).toEqual([HOOK_PATH, HOOK_PATH, '/v1/traces']);
    const [{ trace_id }] = await listed();
    const { spans } = JSON.parse((await run('traces', 'show', trace_id, '--json')).stdout);
    expect(spans.filter((span: { name: string }) => span.name === 'prompt')).toHaveLength(2);
  });

  it('sends unknown hook records as spans', async () => {
    const proxy = await startProxy(world.env.MISSTEP_SERVER as string);
    const options = { MISSTEP_SERVER: proxy.url };
    const argv = ['--agent', 'claude-code', '--strict'];
    expect(await ingest(demoBody('support triage'), argv, options)).toMatchObject({ code: 0 });
    proxy.lacksHooks = true;
    expect(await ingest(HOOKS[1] as string, argv, options)).toMatchObject({ code: 0 });
    await proxy.close();
    expect(proxy.paths).toEqual([HOOK_PATH, '/v1/traces', HOOK_PATH, '/v1/traces']);
    expect(await listed()).toHaveLength(2);
    expect(keptFiles()).toEqual([]);
  });

  it('sends records that an earlier version spooled', async () => {
    const server = world.env.MISSTEP_SERVER as string;
    const name = createHash('sha256').update(server).digest('hex').slice(0, 16);
    const entry = { receivedAtMs: NOW, contentType: null, tenantId: null, body: Buffer.from(HOOKS[1] as string) };
    appendEntry(join(world.dataFolder, 'spool-remote', name), entry);
    expect(await ingest(demoBody('support triage'), ['--strict'])).toMatchObject({ code: 0 });
    expect(await listed()).toHaveLength(2);
    expect(keptFiles()).toEqual([]);
  });

  it('sends although the spool cannot be written', async () => {
    writeFileSync(join(world.dataFolder, 'spool-remote'), 'in the way');
    expect(await ingest(HOOKS[1] as string, ['--strict'])).toMatchObject({ code: 0 });
    expect(await listed()).toHaveLength(1);
  });

  it('stops waiting for a server that never answers and spools the record', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((ready) => silent.once('listening', ready));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const env = { ...world.env, MISSTEP_SERVER: url };
    const result = await runCli(['ingest'], { stdin: '{"resourceSpans":[]}', clock, env });
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(keptFiles()).toHaveLength(1);
    silent.closeAllConnections();
    silent.close();
  });

  it.each([
    ['nobody listens', { MISSTEP_SERVER: NOBODY }, 0],
    ['the key is wrong', { MISSTEP_API_KEY: 'mst_wrong' }, 4],
    ['the key is no header', { MISSTEP_API_KEY: 'mst_\r\nx-other: 1' }, 0],
  ])('keeps the record when %s', async (_name, env, code) => {
    for (const body of [demoBody('support triage'), HOOKS[0] as string]) {
      expect(await ingest(body, [], env)).toEqual({ code: 0, stdout: '', stderr: '' });
      expect((await ingest(body, ['--strict'], env)).code).toBe(code);
    }
    expect(keptFiles()).toHaveLength(1);
    const file = join(world.dataFolder, 'spool-remote', keptFiles()[0] as string);
    expect(decodeSpool(readFileSync(file)).entries).toHaveLength(4);
  });

  it('sends nothing for a record without a step', async () => {
    const notice = JSON.stringify({ session_id: 's', hook_event_name: 'Notification', message: 'waiting', cwd: '/' });
    expect(await ingest(notice, ['--strict'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await listed()).toEqual([]);
  });

  it('reads a hook record as one although its tool input contains spans', async () => {
    const call = { ...JSON.parse(HOOKS[1] as string), tool_name: 'mcp__otel__send', tool_input: { resourceSpans: [] } };
    await ingest(JSON.stringify(call), ['--strict', '--agent', 'codex']);
    const [{ trace_id }] = await listed();
    const { spans } = JSON.parse((await run('traces', 'show', trace_id, '--json')).stdout);
    expect(spans).toMatchObject([{ name: 'mcp__otel__send', attributes: { 'misstep.framework': 'codex' } }]);
  });

  it('does not spool a record that every server rejects', async () => {
    expect((await ingest('{"what":1}', ['--strict'])).code).toBe(2);
    expect(keptFiles()).toEqual([]);
  });
});

interface TestProxy {
  url: string;
  isAvailable: boolean;
  /** Forwards requests, but responds with 503. */
  dropsResponses: boolean;
  /** Behaves like a server version without the path for hooks. */
  lacksHooks: boolean;
  /** Requested paths. */
  paths: string[];
  close(): Promise<void>;
}

/** A proxy in front of the server that can simulate failures. */
async function startProxy(target: string): Promise<TestProxy> {
  const proxy: TestProxy = {
    url: '',
    isAvailable: true,
    dropsResponses: false,
    lacksHooks: false,
    paths: [],
    close: async () => void server.close(),
  };
  const server = createServer((request, response) => {
    if (!proxy.isAvailable) return void response.writeHead(503).end();
    const parts: Buffer[] = [];
    request
      .on('data', (part) => parts.push(part))
      .on('end', async () => {
        proxy.paths.push(request.url ?? '');
        if (proxy.lacksHooks && request.url === HOOK_PATH) return void response.writeHead(404).end();
        const { host: _, connection: __, 'content-length': ___, ...others } = request.headers;
        const headers = others as Record<string, string>;
        const answer = await fetch(`${target}${request.url}`, { method: 'POST', headers, body: Buffer.concat(parts) });
        response.writeHead(proxy.dropsResponses ? 503 : answer.status).end(await answer.text());
      });
  }).listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
