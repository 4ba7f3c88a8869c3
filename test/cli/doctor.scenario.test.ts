import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderLock } from '../../src/store/data-folder/folder-lock.ts';
import { NOW, runCli } from './run-cli.ts';
import { localWorld, type World } from './world.ts';

let world: World;
let file: string;
beforeEach(() => {
  world = localWorld();
  file = join(world.dataFolder, 'misstep.db');
});
afterEach(() => world.close());

interface Report {
  checks: { name: string; status: string; detail: string; remedy: string | null }[];
  settings: { variable: string; value: string | null; source: string }[];
}

const doctor = (argv: string[] = [], env: Record<string, string> = {}) =>
  runCli(['doctor', ...argv], { env: { ...world.env, ...env } });

async function report(env: Record<string, string> = {}, argv: string[] = []): Promise<Report & { code: number }> {
  const { code, stdout, stderr } = await doctor(['--json', ...argv], env);
  expect(stdout, stderr).not.toBe('');
  return { ...(JSON.parse(stdout) as Report), code };
}

const statusOf = ({ checks }: Report, name: string) => checks.find((check) => check.name === name)?.status;

/** Gives the database the settings of earlier versions, which could not return free pages. */
function disableShrinking(): void {
  const database = new Sqlite(file);
  database.pragma('auto_vacuum = NONE');
  database.exec('vacuum');
  database.close();
}

describe('misstep doctor', () => {
  it('reports a store without problems, and every setting with its source', async () => {
    await runCli(['demo'], { env: world.env });
    const { code, checks, settings } = await report();
    expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(checks.map(({ name }) => name)).toContain('database');
    expect(settings.find(({ variable }) => variable === 'MISSTEP_DATA')).toMatchObject({
      value: world.dataFolder,
      source: 'environment',
    });
    expect(settings.find(({ variable }) => variable === 'MISSTEP_PORT')).toMatchObject({
      value: null,
      source: 'default',
    });
    expect(code).toBe(0);
  });

  it('creates nothing', async () => {
    const data = join(world.dataFolder, 'missing');
    const { code, checks } = await report({ MISSTEP_DATA: data });
    expect(checks[0]).toMatchObject({ name: 'data folder', status: 'ok', detail: `${data} does not exist yet` });
    expect(statSync(data, { throwIfNoEntry: false })).toBeUndefined();
    expect(code).toBe(0);
  });

  it('finds a damaged page and names the file and the remedy', async () => {
    await runCli(['demo'], { env: world.env });
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 5 * 16_384, 9 * 16_384);
    writeFileSync(file, bytes);
    const { code, checks } = await report();
    const found = checks.find(({ name }) => name === 'database');
    expect(found).toMatchObject({ status: 'problem', remedy: expect.stringContaining('restore a copy') });
    expect(found?.detail).toContain(file);
    expect(code).toBe(1);
  });

  it('shows where a setting comes from, and hides secrets', async () => {
    mkdirSync(world.dataFolder, { recursive: true });
    const config = join(world.dataFolder, 'config.json');
    writeFileSync(config, JSON.stringify({ port: 4400, host: '127.0.0.2' }));
    const env = { MISSTEP_CONFIG: config, MISSTEP_PORT: '4500', MISSTEP_API_KEY: 'mst_not_for_the_screen' };
    const { settings } = await report(env, ['--tenant', 'ten_1']);
    const of = (name: string) => settings.find(({ variable }) => variable === name);
    expect(of('MISSTEP_HOST')).toMatchObject({ value: '127.0.0.2', source: config });
    expect(of('MISSTEP_PORT')).toMatchObject({ value: '4500', source: 'environment' });
    expect(of('MISSTEP_TENANT')).toMatchObject({ value: 'ten_1', source: 'flag' });
    expect(of('MISSTEP_API_KEY')).toMatchObject({ value: '(set)', source: 'environment' });
  });

  it('warns of a secret file that other users can read', async () => {
    mkdirSync(world.dataFolder, { recursive: true });
    const secret = join(world.dataFolder, 'key');
    writeFileSync(secret, 'mst_x');
    chmodSync(secret, 0o644);
    const open = await report({ MISSTEP_API_KEY_FILE: secret });
    expect(statusOf(open, 'MISSTEP_API_KEY_FILE')).toBe('warning');
    chmodSync(secret, 0o600);
    expect(statusOf(await report({ MISSTEP_API_KEY_FILE: secret }), 'MISSTEP_API_KEY_FILE')).toBe('ok');
  });

  it('reports a setting that serve rejects', async () => {
    const { code, checks } = await report({ MISSTEP_MIN_FREE: 'much' });
    expect(checks.find(({ name }) => name === 'settings')).toMatchObject({ status: 'problem' });
    expect(code).toBe(1);
  });

  it('reports a disk with less free space than the minimum', async () => {
    await runCli(['demo'], { env: world.env });
    const low = await report({ MISSTEP_MIN_FREE: '900TiB' });
    expect(statusOf(low, 'disk')).toBe('problem');
  });

  it('--fix converts a database that deletions do not shrink, and keeps its data', async () => {
    await runCli(['demo'], { env: world.env });
    const before = await runCli(['traces', 'list', '--json'], { env: world.env });
    disableShrinking();
    expect(statusOf(await report(), 'disk space of the database')).toBe('warning');
    expect(statusOf(await report({}, ['--fix']), 'disk space of the database')).toBe('ok');
    expect((await runCli(['traces', 'list', '--json'], { env: world.env })).stdout).toBe(before.stdout);
  });

  it('--fix is refused while a server runs', async () => {
    await runCli(['demo'], { env: world.env });
    disableShrinking();
    const hold = FolderLock.acquire(world.dataFolder, NOW, undefined);
    try {
      const refused = await doctor(['--fix']);
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(`process ${process.pid}`) });
      expect(statusOf(await report(), 'disk space of the database')).toBe('warning');
    } finally {
      hold.release();
    }
  });

  it('prints one line for each check', async () => {
    await runCli(['demo'], { env: world.env });
    const { stdout } = await doctor();
    expect(stdout).toMatch(/^misstep \d.*\nok {7}data folder: /);
    expect(stdout).toContain(`  MISSTEP_DATA=${world.dataFolder}  (environment)`);
  });

  it('does not check a server', async () => {
    expect(await doctor(['--server', 'http://127.0.0.1:9'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('this machine only'),
    });
  });
});
