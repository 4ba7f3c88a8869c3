import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { integrationTable, namedVersions, TABLE_BEGIN, TABLE_END } from './integration-table.ts';
import { npmFailure } from './npm-failure.ts';
import { cacheFolder, PROGRAMS, PROGRAMS_FOLDER, packageOf } from './programs.ts';
import { type Check, withReport } from './report.ts';

const root = resolve(import.meta.dirname, '../..');

describe('real programs', () => {
  it('are the folders of test/e2e/programs, each with a test file', () => {
    expect(readdirSync(PROGRAMS_FOLDER).sort()).toEqual([...PROGRAMS].sort());
    for (const name of PROGRAMS) expect(existsSync(resolve(root, `test/e2e/${name}.test.ts`)), name).toBe(true);
  });

  it.each(PROGRAMS)('%s pins exact versions', (name) => {
    for (const [dependency, version] of Object.entries(packageOf(name).dependencies))
      expect(version, dependency).toMatch(/^(npm:(@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+$/);
  });

  it('are listed in docs/integrations.md and docs/development.md with these versions', () => {
    const page = readFileSync(resolve(root, 'docs/integrations.md'), 'utf8');
    const table = page.slice(page.indexOf(TABLE_BEGIN), page.indexOf(TABLE_END));
    const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| program'));
    expect(rows.map((row) => row.split(' | ').slice(0, 2).join(' | '))).toEqual(
      PROGRAMS.map((name) => namedVersions(name).slice(0, -2)),
    );
    const guide = readFileSync(resolve(root, 'docs/development.md'), 'utf8');
    for (const name of PROGRAMS) expect(guide).toContain(`\`${name}\``);
  });
});

describe('cacheFolder', () => {
  it.each([
    [{ MISSTEP_E2E: '/here' }, '/here'],
    [{ MISSTEP_E2E: '', XDG_CACHE_HOME: '/caches' }, '/caches/misstep-e2e'],
    [{ XDG_CACHE_HOME: '/caches' }, '/caches/misstep-e2e'],
  ])('%o', (env, folder) => {
    expect(cacheFolder(env)).toBe(folder);
  });

  it('is below the home folder if no variable is set', () => {
    expect(cacheFolder({})).toMatch(/\.cache\/misstep-e2e$/);
  });
});

describe('npmFailure', () => {
  it.each([
    [
      'npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error errno ENOTFOUND\n',
      'the npm registry cannot be reached (ENOTFOUND)',
    ],
    ['npm error code ECONNREFUSED\nnpm error syscall connect\n', 'the npm registry cannot be reached (ECONNREFUSED)'],
    [
      'npm error code ETARGET\nnpm error notarget No matching version found for thing@9.9.9.\n',
      'npm: ETARGET: notarget No matching version found for thing@9.9.9.',
    ],
    ['spawn npm ENOENT', 'npm: spawn npm ENOENT'],
    ['', 'npm: failed without a message'],
  ])('%j', (stderr, reason) => {
    expect(npmFailure(stderr)).toBe(reason);
  });
});

describe('results', () => {
  const check = (program: string, state: Check['state'], title = 'reads it'): Check => ({
    program,
    group: '',
    title,
    state,
  });

  it('contain the last run of each program, without programs that were skipped', () => {
    const before = withReport({}, [check('mcp', 'failed'), check('n8n', 'passed')], '2026-11-01');
    const after = withReport(before, [check('mcp', 'passed'), check('n8n', 'skipped')], '2026-11-02');
    expect(after).toEqual({
      mcp: { date: '2026-11-02', checks: [check('mcp', 'passed')] },
      n8n: { date: '2026-11-01', checks: [check('n8n', 'passed')] },
    });
  });

  it('become a table of every program', () => {
    const checks = [check('mcp', 'passed'), check('mcp', 'passed'), check('mcp', 'failed', 'a | b')];
    const rows = integrationTable({ mcp: { date: '2026-11-02', checks } }).split('\n');
    expect(rows).toHaveLength(PROGRAMS.length + 2);
    expect(rows.find((row) => row.includes('`mcp`'))).toMatch(
      / reads it; a \\\| b \| 2 passed, 1 failed \| 2026-11-02 \|$/,
    );
    expect(rows.find((row) => row.includes('`n8n`'))).toContain('| not run |');
  });
});
