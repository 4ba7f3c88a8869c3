import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { localWorld, type World } from './world.ts';

let world: World;
beforeAll(() => {
  world = localWorld();
});
afterAll(() => world.close());

interface Step {
  argv: string[];
  code?: number;
  stdout: RegExp;
  stderr: RegExp;
}

/** Run in order; each step sees the effects of the previous ones. */
const STORY: Step[] = [
  { argv: ['status'], stdout: /^MIGRATION +APPLIED\n0001-foundation +pending\n/, stderr: /^$/ },
  { argv: ['down'], stdout: /^$/, stderr: /^There is nothing to revert\.\n$/ },
  { argv: ['up', '--dry-run'], stdout: /^0001-foundation would be applied\n/, stderr: /^$/ },
  { argv: ['status', '--json'], stdout: /"applied_at": null/, stderr: /^$/ },
  { argv: ['up'], stdout: /^0001-foundation applied\n/, stderr: /^$/ },
  { argv: ['up'], stdout: /^$/, stderr: /^Already up to date\.\n$/ },
  { argv: ['status'], stdout: /^MIGRATION +APPLIED\n0001-foundation +2026-05-04T/, stderr: /^$/ },
  { argv: ['down', '--dry-run', '--json'], stdout: /"direction": "down",\s+"dry_run": true/, stderr: /^$/ },
  { argv: ['down'], stdout: /reverted\n$/, stderr: /^Copied the database to .*\.bak\n$/ },
  { argv: ['sideways'], code: 2, stdout: /^$/, stderr: /unknown command 'sideways'/ },
  { argv: ['up', '--server', 'http://127.0.0.1:9'], code: 2, stdout: /^$/, stderr: /local database only/ },
];

describe('misstep migrate', () => {
  it.each(STORY)('$argv', async ({ argv, code = 0, stdout, stderr }) => {
    const result = await runCli(['migrate', ...argv], { env: world.env });
    expect(result.code, result.stderr).toBe(code);
    expect(result.stdout).toMatch(stdout);
    expect(result.stderr).toMatch(stderr);
  });

  it('creates the copy that it printed', () => {
    expect(existsSync(world.dataFolder)).toBe(true);
    expect(readdirSync(world.dataFolder).some((name) => name.endsWith('.bak'))).toBe(true);
  });
});
