import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { kindOfEntry } from '../../src/store/data-folder/entries.ts';
import { isRoot, runProgram } from '../support/program.ts';
import { createTenant, isBuilt, serve } from '../support/served.ts';

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-folder-'));
  chmodSync(folder, 0o755);
  data = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Entries below the folder that users other than the owner can access. */
function openToOthers(path: string): string[] {
  return (
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .map((name) => join(path, name))
      .concat(path)
      // A running server creates and removes files meanwhile.
      .filter((entry) => ((lstatSync(entry, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
  );
}

/** A command that opens the store ends at once with code 3, one line that names the path, and no stack trace. */
function expectRejected(args: string[], path: string, text: RegExp, uid?: number): void {
  const { status, signal, stderr } = runProgram(data, args, { uid, env: { HOME: folder } });
  expect({ status, signal }).toEqual({ status: 3, signal: null });
  expect(stderr).toContain(path);
  expect(stderr).toMatch(text);
  expect(stderr.trim().split('\n')).toHaveLength(1);
}

const COMMANDS = [
  ['serve', '--port', '0'],
  ['traces', 'list'],
  ['migrate', 'up'],
  ['migrate', 'status'],
];

describe.skipIf(!isBuilt)('the data folder (needs dist/misstep: npm run build)', () => {
  it('that existed before becomes owner-only while a server runs, with every file in it', async () => {
    mkdirSync(data, { mode: 0o755 });
    const served = await serve(data);
    try {
      await createTenant(served.url);
      expect(readdirSync(data)).toEqual(
        expect.arrayContaining(['misstep.db', 'misstep.db-wal', 'misstep.db-shm', 'operator-token', 'server.json']),
      );
      expect(openToOthers(data)).toEqual([]);
    } finally {
      await served.end('SIGTERM');
    }
    expect(readdirSync(data)).not.toContain('server.json');
  });

  it('contains only entries that the permission check covers', async () => {
    const served = await serve(data, '--min-free', '1');
    try {
      await createTenant(served.url);
      const hook = { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'Hello' };
      for (const agent of ['claude-code', 'codex'])
        runProgram(data, ['ingest', '--agent', agent], { input: JSON.stringify(hook), env: { HOME: folder } });
      await vi.waitFor(() => expect(readdirSync(data)).toContain('reserve'), { timeout: 20_000, interval: 50 });
      const names = readdirSync(data);
      expect(names).toContain('hook-calls');
      expect(names.filter((name) => kindOfEntry(name) === null)).toEqual([]);
    } finally {
      await served.end('SIGTERM');
    }
  });

  it('of an earlier version becomes owner-only, and each correction is reported', () => {
    expect(runProgram(data, ['migrate', 'up']).status).toBe(0);
    const copy = join(data, 'misstep.db.before-20260102T030405Z.bak');
    mkdirSync(join(data, 'imports'), { mode: 0o755 });
    for (const file of [copy, join(data, 'operator-token'), join(data, 'imports', 'upload')])
      writeFileSync(file, 'secret', { mode: 0o644 });
    for (const path of [data, join(data, 'misstep.db'), copy]) chmodSync(path, 0o755);
    const { status, stderr } = runProgram(data, ['traces', 'list']);
    expect(status).toBe(0);
    expect(openToOthers(data)).toEqual([]);
    expect(stderr).toContain(`${copy} was open to other users (mode 755); its mode is now 700`);
  });

  it('does not change files of others', () => {
    mkdirSync(data, { mode: 0o755 });
    const script = join(data, 'script.sh');
    writeFileSync(script, 'x');
    chmodSync(script, 0o755);
    expect(runProgram(data, ['migrate', 'up']).status).toBe(0);
    expect([lstatSync(script).mode & 0o777, lstatSync(data).mode & 0o777]).toEqual([0o755, 0o755]);
    expect(lstatSync(join(data, 'misstep.db')).mode & 0o777).toBe(0o600);
  });

  it.each(COMMANDS)('%s %s names the folder that cannot be used, and the reason', (...args) => {
    const rows: [string, () => void, string, RegExp][] = [
      ['a file in its place', () => writeFileSync(data, ''), data, /is not a folder/],
      ['a dangling link', () => symlinkSync(join(folder, 'gone'), data), data, /leads nowhere/],
      ['writable by all users', () => writableByAll(), data, /writable by other users/],
      ['a link as database', () => linked('misstep.db'), join(data, 'misstep.db'), /symbolic link/],
      ['a link as operator token', () => linked('operator-token'), join(data, 'operator-token'), /symbolic link/],
      [
        'a folder as secret key',
        () => mkdirSync(join(data, 'secret-key'), { recursive: true }),
        'secret-key',
        /regular/,
      ],
    ];
    for (const [, damage, path, text] of rows) {
      damage();
      expectRejected(args, path, text);
      rmSync(data, { recursive: true, force: true });
    }
  });

  it.each([COMMANDS[0]!, COMMANDS[2]!])('%s %s ends at once if no folder can be created', (...args) => {
    for (const [path, text] of [
      ['/proc/misstep/data', /cannot be created/],
      [join(folder, 'x'.repeat(300)), /too long a path/],
    ] as const) {
      data = path;
      expectRejected(args, path.slice(0, 100), text);
    }
  });

  it('a command that reads needs no folder: a missing folder that cannot be created counts as empty', () => {
    data = '/proc/misstep/data';
    expect(runProgram(data, ['traces', 'list'])).toMatchObject({ status: 0 });
    data = join(folder, 'x'.repeat(300));
    expectRejected(['traces', 'list'], data.slice(0, 100), /too long a path/);
  });

  function writableByAll(): void {
    mkdirSync(data);
    writeFileSync(join(data, 'notes.txt'), 'of another user');
    chmodSync(data, 0o777);
  }

  function linked(name: string): void {
    mkdirSync(data);
    writeFileSync(join(folder, 'elsewhere'), '');
    symlinkSync(join(folder, 'elsewhere'), join(data, name));
  }
});

const OTHER_USER = 65_534;

describe.skipIf(!isBuilt || !isRoot)('other users (needs dist/misstep and root)', () => {
  it.each(['misstep.db', 'operator-token', 'secret-key', 'server.json', 'spool'])(
    '%s that another user created is rejected',
    (name) => {
      mkdirSync(data);
      if (name === 'spool') mkdirSync(join(data, name));
      else writeFileSync(join(data, name), '');
      chownSync(join(data, name), OTHER_USER, OTHER_USER);
      expectRejected(['serve', '--port', '0'], join(data, name), /belongs to another user/);
      expectRejected(['traces', 'list'], join(data, name), /belongs to another user/);
    },
  );

  it('a folder of another user is rejected, and one without permission', () => {
    mkdirSync(data, { mode: 0o755 });
    expectRejected(['traces', 'list'], data, /permission denied|belongs to another user/, OTHER_USER);
    chownSync(data, OTHER_USER, OTHER_USER);
    expectRejected(['traces', 'list'], data, /belongs to another user/);
  });

  it('a folder below one without permission is rejected', () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o755 });
    data = join(closed, 'data');
    expectRejected(['migrate', 'up'], data, /permission denied/, OTHER_USER);
    chmodSync(closed, 0o700);
    expectRejected(['traces', 'list'], data, /permission denied/, OTHER_USER);
  });

  it('a file without write permission is rejected', () => {
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, OTHER_USER, OTHER_USER);
    expect(runProgram(data, ['migrate', 'up'], { uid: OTHER_USER, env: { HOME: folder } }).status).toBe(0);
    chmodSync(join(data, 'misstep.db'), 0o400);
    expectRejected(['traces', 'list'], join(data, 'misstep.db'), /permission denied/, OTHER_USER);
  });
});
