import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROGRAM } from '../support/served.ts';
import { demoBody, demoTraceId } from './sample-traces.ts';
import { localWorld, type World } from './world.ts';

const [PROGRAM_FILE, ...BEFORE] = PROGRAM;
const COMMAND = PROGRAM.map((part) => `"${part}"`).join(' ');
const hasPty = spawnSync('script', ['--version']).status === 0;

let world: World;
beforeEach(() => {
  world = localWorld();
});
afterEach(() => world.close());

/** Without the cache, every start from the sources removes the types from every file again. */
const CACHE = join(tmpdir(), 'misstep-compile-cache');
const env = () => ({
  PATH: process.env.PATH,
  HOME: world.dataFolder,
  NODE_COMPILE_CACHE: CACHE,
  ...world.env,
});
const misstep = (...argv: string[]) => spawnSync(PROGRAM_FILE, [...BEFORE, ...argv], { encoding: 'utf8', env: env() });

describe('the real process', () => {
  it.each([
    [['--version'], 0],
    [['traces', 'list'], 0],
    [['bogus'], 2],
    [['analyze', 'missing.json'], 2],
    [['traces', 'list', '--server', 'http://127.0.0.1:9', '--api-key', 'mst_x'], 5],
  ])('%j ends with %i', (argv, code) => {
    const { status, stderr } = misstep(...argv);
    expect(status, stderr).toBe(code);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('prints a stack only with MISSTEP_DEBUG', () => {
    writeFileSync(
      join(world.dataFolder, 'misstep.db'),
      'this is no database, but it is long enough to be read as one'.repeat(40),
    );
    expect(misstep('traces', 'list').stderr).not.toMatch(/\n {4}at /);
    const debugged = spawnSync(PROGRAM_FILE, [...BEFORE, 'traces', 'list'], {
      encoding: 'utf8',
      env: { ...env(), MISSTEP_DEBUG: '1' },
    });
    expect(debugged.status).toBe(3);
    expect(debugged.stderr).toMatch(/\n {4}at /);
  });

  it('treats a closed pipe as success', () => {
    const file = join(world.dataFolder, 'loop.json');
    writeFileSync(file, demoBody('migration planner'));
    const many = Array.from({ length: 60 }, () => `"${file}"`).join(' ');
    const script = `${COMMAND} analyze --json ${many} | head -c 10; echo " \${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env: env() });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/ 1\n$/);
  });

  it('reads secrets from files', () => {
    const file = join(world.dataFolder, 'key');
    writeFileSync(file, 'mst_from_a_file\n');
    const { status, stderr } = spawnSync(PROGRAM_FILE, [...BEFORE, 'traces', 'list'], {
      encoding: 'utf8',
      env: { ...env(), MISSTEP_API_KEY_FILE: join(world.dataFolder, 'missing') },
    });
    expect(status).toBe(2);
    expect(stderr).toContain('MISSTEP_API_KEY_FILE names a file that cannot be read');
    const found = spawnSync(PROGRAM_FILE, [...BEFORE, 'traces', 'list'], {
      encoding: 'utf8',
      env: { ...env(), MISSTEP_API_KEY_FILE: file },
    });
    expect(found.status).toBe(0);
  });
});

describe('misstep serve', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('serves until %s, then ends with %i', async (signal, code) => {
    const server = await serving();
    expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(200);
    expect(await server.end(signal)).toBe(code);
    expect(server.messages()).toContain('misstep demo');
  });

  it('writes an owner-only operator token', async () => {
    const server = await serving();
    const file = join(world.dataFolder, 'operator-token');
    expect(statSync(file).mode & 0o077).toBe(0);
    const tenants = misstep('tenants', 'list', '--server', server.url);
    expect(tenants.status, tenants.stderr).toBe(0);
    await server.end('SIGTERM');
  });

  it('stores spool records while it runs', async () => {
    const server = await serving();
    const sent = spawnSync(PROGRAM_FILE, [...BEFORE, 'ingest'], {
      input: demoBody('refund desk'),
      encoding: 'utf8',
      env: env(),
    });
    expect(sent).toMatchObject({ status: 0, stdout: '', stderr: '' });
    await until(async () => server.messages().includes('stored records from the spool'), server.messages);
    expect(misstep('traces', 'list', '--server', server.url, '--tenant', await tenantOf(server)).stdout).toContain(
      demoTraceId('refund desk'),
    );
    await server.end('SIGTERM');
  });

  it('--tenant creates a tenant on an empty store only', async () => {
    const server = await serving('--tenant', 'desk');
    const { tenant_id, api_key = '' } = server.announced;
    const answer = await fetch(`${server.url}/api/v1/tenants/${tenant_id}`, { headers: { 'x-svc-api-key': api_key } });
    expect(await answer.json()).toMatchObject({ name: 'desk' });
    await server.end('SIGTERM');
    const again = await serving('--tenant', 'other');
    expect(again.announced).not.toHaveProperty('api_key');
    await again.end('SIGTERM');
  });

  it('prints a link that signs in once: for the operator, then for the only tenant', async () => {
    const first = await serving();
    expect(await signIn(first)).toMatchObject({ status: 201, json: { is_operator: true, tenant: null } });
    expect((await signIn(first)).status).toBe(401);
    await fetch(`${first.url}/api/v1/auth/tenants`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'desk' }),
    });
    await first.end('SIGTERM');
    const second = await serving('--public-url', 'https://traces.example/misstep');
    expect(second.announced.sign_in).toMatch(/^https:\/\/traces\.example\/misstep\/ui\/sign-in#t=/);
    expect(await signIn(second)).toMatchObject({ status: 201, json: { is_operator: false, tenant: { name: 'desk' } } });
    // The command finds the address of the running server in the data folder.
    expect(misstep('link').stdout).toMatch(/^https:\/\/traces\.example\/misstep\/ui\/sign-in#t=\w{43}\n$/);
    await second.end('SIGTERM');
  });

  it('says why it cannot listen', async () => {
    const server = await serving();
    const { port } = new URL(server.url);
    // A separate folder, because the first one is locked by its server.
    const second = misstep('serve', '--port', port, '--data', join(world.dataFolder, 'second'));
    expect(second.status).toBe(75);
    expect(second.stderr).toContain('another program listens there');
    await server.end('SIGTERM');
  });

  it.each([
    [['--port', 'many'], '--port takes a number'],
    [['--durability', 'some'], '--durability takes normal or full'],
    [['--redact', 'names'], '--redact takes'],
    [['--public-url', 'traces.example'], '--public-url takes an address'],
    [['--server', 'http://x'], 'serve is a server itself'],
    [['--tenant', ' '], '--tenant takes a name'],
  ])('refuses %j', (argv, message) => {
    const { status, stderr } = misstep('serve', ...argv);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe.skipIf(!hasPty)('questions on a terminal', () => {
  it('asks for a name that is missing', async () => {
    const terminal = onTerminal('tenants create');
    await terminal.sees('Name of the tenant');
    terminal.types('acme\r');
    await terminal.sees(/mst_\w+/);
    expect(await terminal.ended).toBe(0);
    expect(misstep('tenants', 'list').stdout).toContain('acme');
  });

  it('asks before it deletes and accepts no', async () => {
    const { tenant_id } = JSON.parse(misstep('tenants', 'create', '--name', 'acme', '--json').stdout);
    const terminal = onTerminal(`tenants delete ${tenant_id}`);
    await terminal.sees('Delete tenant acme');
    terminal.types('n\r');
    await terminal.sees('Nothing was deleted.');
    expect(await terminal.ended).toBe(0);
    expect(misstep('tenants', 'list').stdout).toContain('acme');
  });

  it('ends with 130 when the prompt is interrupted', async () => {
    const terminal = onTerminal('tenants create');
    await terminal.sees('Name of the tenant');
    terminal.types('\u0003');
    expect(await terminal.ended).toBe(130);
  });

  it('--no-input shows no prompt', async () => {
    const terminal = onTerminal('tenants create --no-input');
    await terminal.sees('--name is required');
    expect(await terminal.ended).toBe(2);
  });

  it('offers the demo on the first start of the server', async () => {
    const terminal = onTerminal('serve --port 0');
    await terminal.sees('Add example runs?');
    terminal.types('y\r');
    await terminal.sees(/detections in 7 traces/);
    terminal.types('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(existsSync(join(world.dataFolder, 'misstep.db'))).toBe(true);
  });
});

async function tenantOf(server: Serving): Promise<string> {
  return JSON.parse(misstep('tenants', 'list', '--json', '--server', server.url).stdout).items[0].tenant_id;
}

async function signIn({ url, announced }: Serving): Promise<{ status: number; json: unknown }> {
  const answer = await fetch(`${url}/api/v1/auth/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link_token: new URL(announced.sign_in ?? '').hash.slice('#t='.length) }),
  });
  return { status: answer.status, json: await answer.json() };
}

interface Serving {
  url: string;
  /** The JSON that it printed when it was ready. */
  announced: Record<string, string>;
  messages(): string;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

async function serving(...flags: string[]): Promise<Serving> {
  const child = spawn(PROGRAM_FILE, [...BEFORE, 'serve', '--port', '0', '--json', ...flags], { env: env() });
  const texts = collect(child);
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  await until(
    async () => texts.out().includes('}'),
    () => texts.err(),
  );
  const announced = JSON.parse(texts.out());
  return {
    url: announced.url,
    announced,
    messages: () => texts.err(),
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs the command on a pseudo-terminal, created by `script`. */
function onTerminal(command: string) {
  const child = spawn('script', ['-qefc', `${COMMAND} ${command}`, '/dev/null'], { env: { ...env(), TERM: 'xterm' } });
  const texts = collect(child);
  return {
    sees: (text: string | RegExp) =>
      until(
        async () => texts.out().search(text) >= 0,
        () => texts.out(),
      ),
    types: (keys: string) => void child.stdin?.write(keys),
    ended: new Promise<number | null>((done) => child.once('exit', done)),
  };
}

function collect(child: ChildProcess): { out(): string; err(): string } {
  const texts = { out: '', err: '' };
  child.stdout?.on('data', (part) => {
    texts.out += part;
  });
  child.stderr?.on('data', (part) => {
    texts.err += part;
  });
  return { out: () => texts.out, err: () => texts.err };
}

async function until(isTrue: () => Promise<boolean>, seen: () => string = () => ''): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`it did not come; seen: ${seen().slice(-2000)}`);
    await new Promise((next) => setTimeout(next, 40));
  }
}
