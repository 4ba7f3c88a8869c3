import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/served.ts';
import type { Workflow } from './n8n-workflows.ts';

const OWNER = { email: 'owner@example.com', firstName: 'Ada', lastName: 'Owner', password: 'Bicycle-7-shop' };

export interface N8n {
  url: string;
  /** A key of its public API. */
  apiKey: string;
  /** Calls a workflow by its webhook and waits for the answer; a failing workflow answers 500. */
  call(path: string, body?: object): Promise<number>;
  stop(): Promise<void>;
}

interface Start {
  /** The installed program. */
  home: string;
  /** An empty folder for its data. */
  folder: string;
  workflows: readonly Workflow[];
  credentials: readonly object[];
  env: Record<string, string>;
}

/** Imports the workflows, starts n8n, sets up its owner and activates what has a webhook. */
export async function startN8n({ home, folder, workflows, credentials, env: more }: Start): Promise<N8n> {
  const files = join(folder, 'import');
  mkdirSync(files, { recursive: true });
  for (const workflow of workflows)
    writeFileSync(join(files, `${workflow.id}.json`), JSON.stringify({ ...workflow, active: false, pinData: {} }));
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentials));
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    N8N_USER_FOLDER: folder,
    N8N_PORT: String(port),
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_SECURE_COOKIE: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    ...more,
  };
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, ['node_modules/n8n/bin/n8n', ...args], { cwd: home, env, stdio: 'pipe' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part) => {
        output = (output + part).slice(-20_000);
      });
    }
    return { child, output: () => output };
  };
  for (const args of [
    ['import:credentials', `--input=${join(folder, 'credentials.json')}`],
    ['import:workflow', '--separate', `--input=${files}`],
  ]) {
    const { child, output: results } = start(...args);
    const status = await new Promise((done) => child.once('exit', done));
    if (status !== 0) throw new Error(`n8n ${args[0]}: ${results()}`);
  }
  const { child, output: result } = start('start');
  const url = `http://127.0.0.1:${port}`;
  try {
    const apiKey = await setUp(url, () => child.exitCode !== null);
    for (const { id, nodes } of workflows)
      if (nodes.some(({ type }) => /\.(webhook|executeWorkflowTrigger|errorTrigger)$/.test(type)))
        await activate(url, apiKey, id);
    return { url, apiKey, call: (path, body = {}) => callWebhook(url, path, body), stop: () => ended(child) };
  } catch (error) {
    await ended(child);
    throw new Error(`${error instanceof Error ? error.message : error}; n8n printed: ${result()}`);
  }
}

/** Creates the owner; the key of the public API. */
async function setUp(url: string, hasEnded: () => boolean): Promise<string> {
  let cookie = '';
  for (let attempt = 0; cookie === ''; attempt += 1) {
    if (hasEnded() || attempt > 1200) throw new Error('n8n did not come up');
    const response = await send(`${url}/rest/owner/setup`, OWNER).catch(() => null);
    if (response?.ok) cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    else await new Promise((next) => setTimeout(next, 250));
  }
  const scopes = (await readJson(await fetch(`${url}/rest/api-keys/scopes`, { headers: { cookie } }))) as {
    data: string[];
  };
  const made = await send(
    `${url}/rest/api-keys`,
    { label: 'misstep', expiresAt: null, scopes: scopes.data },
    { cookie },
  );
  return ((await readJson(made)) as { data: { rawApiKey: string } }).data.rawApiKey;
}

async function activate(url: string, apiKey: string, id: string): Promise<void> {
  await readJson(await send(`${url}/api/v1/workflows/${id}/activate`, {}, { 'x-n8n-api-key': apiKey }));
}

async function callWebhook(url: string, path: string, body: object): Promise<number> {
  return (await send(`${url}/webhook/${path}`, body)).status;
}

function send(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done();
    else child.once('exit', () => done());
    child.kill('SIGTERM');
  });
}
