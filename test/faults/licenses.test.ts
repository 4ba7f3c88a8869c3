import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LicenseNotice } from '../../src/app/license-notices.ts';
import { EXECUTABLE, isBuilt } from '../support/served.ts';

const root = resolve(import.meta.dirname, '../..');
const license = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-licenses-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, before: readonly string[], args: readonly string[]) {
  return spawnSync(command, [...before, 'licenses', ...args], {
    cwd: folder,
    env: {},
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 16 * 1024 * 1024,
    killSignal: 'SIGKILL',
  });
}

describe.skipIf(!isBuilt)('misstep licenses (needs dist/misstep: npm run build)', () => {
  it('--json lists Misstep and the components of the bill of materials, each with a licence text', () => {
    const { status, stdout, stderr } = run(EXECUTABLE, [], ['--json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const notices = JSON.parse(stdout) as LicenseNotice[];
    expect(notices[0]).toMatchObject({ name: 'misstep', license: 'MIT', text: license });
    const bom = JSON.parse(readFileSync(`${EXECUTABLE}.cdx.json`, 'utf8')) as {
      components: { group?: string; name: string; version: string }[];
    };
    const titles = bom.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`);
    expect(notices.slice(1).map(({ name, version }) => `${name} ${version}`)).toEqual(titles);
    expect(titles.length).toBeGreaterThan(100);
    expect(notices.filter(({ license, text }) => license === '' || text === '')).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['alone', []],
    ['with a missing data folder', ['--data', 'nowhere']],
    ['with an invalid data folder', ['--data', '/proc/nowhere']],
    ['with a server that does not respond', ['--server', 'http://127.0.0.1:9']],
  ])('prints the texts %s, and creates nothing', (_name, args) => {
    const { status, stdout, stderr } = run(EXECUTABLE, [], args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(license);
    for (const part of [
      `node ${process.versions.node} (MIT)`,
      'OpenSSL',
      'koa-compose',
      'May you do good and not evil',
    ])
      expect(stdout).toContain(part);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('misstep licenses from the sources prints its own licence and names the command for the others', () => {
  const { status, stdout, stderr } = run(process.execPath, [join(root, 'bin/misstep.ts')], []);
  expect(status).toBe(0);
  expect(stdout).toContain(license);
  expect(stderr).toContain('npm run build');
});
