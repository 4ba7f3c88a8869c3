import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPT = resolve(import.meta.dirname, '../install.sh');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'misstep-install-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A fake executable: the installer copies any file. */
function makeFile(checksum?: string, script = 'echo 9.9.9'): string {
  const file = join(home, 'downloaded');
  const content = `#!/bin/sh\n${script}\n`;
  writeFileSync(file, content);
  chmodSync(file, 0o755);
  if (checksum !== '')
    writeFileSync(`${file}.sha256`, `${checksum ?? createHash('sha256').update(content).digest('hex')}  misstep\n`);
  return file;
}

function install(...args: string[]) {
  const environment = { HOME: home, PATH: '/usr/bin:/bin' };
  const { status, stdout, stderr } = spawnSync('sh', [SCRIPT, ...args], { env: environment, encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

describe('install.sh', () => {
  it('installs a verified file into ~/.local/bin and prints its path', () => {
    const { status, text } = install('--from', makeFile());
    expect(text).toContain('checksum verified');
    expect(text).toContain(`installed ${home}/.local/bin/misstep (9.9.9)`);
    expect(text).toContain('not on your PATH');
    expect(status).toBe(0);
    expect(statSync(join(home, '.local/bin/misstep')).mode & 0o777).toBe(0o755);
  });

  it('--uninstall removes everything that it created, and nothing else', () => {
    const before = () => readdirSync(home).filter((name) => !name.startsWith('downloaded'));
    install('--from', makeFile());
    install('--from', makeFile());
    const { status, text } = install('--uninstall');
    expect(text).toContain(`removed ${home}/.local/bin/misstep`);
    expect(status).toBe(0);
    expect(before()).toEqual([]);
  });

  it('keeps existing folders and the data', () => {
    mkdirSync(join(home, 'tools'));
    mkdirSync(join(home, '.local/share/misstep'), { recursive: true });
    install('--from', makeFile(), '--prefix', join(home, 'tools'));
    const { text } = install('--uninstall', '--prefix', join(home, 'tools'));
    expect(readdirSync(join(home, 'tools'))).toEqual([]);
    expect(existsSync(join(home, '.local/share/misstep'))).toBe(true);
    expect(text).toContain(`your data stays in ${home}/.local/share/misstep`);
  });

  it.each([
    ['a wrong checksum', () => ['--from', makeFile('0'.repeat(64))], 'nothing was installed'],
    ['a wrong --sha256', () => ['--from', makeFile(), '--sha256', 'abc'], 'nothing was installed'],
    ['no checksum at all', () => ['--from', makeFile('')], 'there is no checksum'],
    ['a file that does not run', () => ['--from', makeFile(undefined, 'exit 126')], 'does not run on this machine'],
    ['a missing file', () => ['--from', join(home, 'nowhere')], 'there is no file'],
    ['an unknown flag', () => ['--fast'], 'Usage:'],
    ['nothing to uninstall', () => ['--uninstall'], 'there is no'],
  ])('rejects %s', (_title, args, message) => {
    const { status, text } = install(...args());
    expect(text).toContain(message);
    expect(status).not.toBe(0);
    expect(existsSync(join(home, '.local/bin/misstep'))).toBe(false);
  });

  it('does not remove a file that it did not install', () => {
    mkdirSync(join(home, '.local/bin'), { recursive: true });
    writeFileSync(join(home, '.local/bin/misstep'), 'mine');
    const { status, text } = install('--uninstall');
    expect(text).toContain('not put there by this script');
    expect(status).toBe(1);
    expect(existsSync(join(home, '.local/bin/misstep'))).toBe(true);
  });
});
