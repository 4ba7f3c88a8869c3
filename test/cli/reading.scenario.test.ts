import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { READING_COMMANDS } from '../../src/cli/reading-commands.ts';
import { PROGRAM } from '../support/served.ts';
import { runCli, tickingClock } from './run-cli.ts';
import { demoBody } from './sample-traces.ts';
import { localWorld, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = localWorld();
});
afterEach(() => world.close());

/** Arguments that a command requires. */
const ARGUMENTS: Readonly<Record<string, string[]>> = {
  'agents show': ['nobody'],
  'analytics series': ['runs'],
  analyze: ['no-such-trace'],
  'check cost': ['--model', 'gpt-4o-mini', '--tokens', '10'],
  'conversations show': ['conv_none'],
  'detections fixes': ['det_none'],
  'detections show': ['det_none'],
  'detectors show': ['loop'],
  evaluate: ['no-such-file'],
  'groups show': ['grp_none'],
  'heal history': [],
  'heal show': ['op_none'],
  'issues show': ['iss_none'],
  'integrations status': ['ins_none'],
  'sessions show': ['no-such-session'],
  'tenants show': [],
  'thresholds preview': ['confidence_scaling=1.2'],
  'traces find': ['trace_none', 'order'],
  'traces graph': ['trace_none'],
  'traces show': ['trace_none'],
};

describe('a command that only reads', () => {
  it.each([...READING_COMMANDS])('%s creates nothing where there is no data folder', async (words) => {
    const data = join(world.dataFolder, 'absent');
    const argv = [...words.split(' '), ...(ARGUMENTS[words] ?? [])];
    const { code, stderr } = await runCli(argv, { env: { MISSTEP_DATA: data, HOME: world.dataFolder } });
    expect(existsSync(data)).toBe(false);
    expect([0, 2], stderr).toContain(code);
    expect(stderr).not.toContain('internal');
    expect(stderr).not.toContain('missing required');
  });

  /** Ids sort by time, so items are listed in the order of creation. */
  const clock = tickingClock();
  const run = (...argv: string[]) => runCli(argv, { env: world.env, clock });
  const tenants = async () => JSON.parse((await run('tenants', 'list', '--json')).stdout).items as { name: string }[];
  const newTenant = async (name: string) =>
    JSON.parse((await run('tenants', 'create', '--name', name, '--json')).stdout).tenant_id as string;
  const ingestFor = (tenant: string) =>
    runCli(['ingest', '--tenant', tenant], { env: world.env, clock, stdin: demoBody('refund desk') });

  it('uses the only tenant that has data, and creates no other', async () => {
    await newTenant('empty');
    const desk = await newTenant('desk');
    await ingestFor(desk);
    const listed = await run('traces', 'list');
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('refund-agent') });
    expect((await tenants()).map(({ name }) => name)).toEqual(['empty', 'desk']);
  });

  it('lists the tenants if several have data, and uses the named one', async () => {
    for (const name of ['one', 'two']) await ingestFor(await newTenant(name));
    const result = await run('traces', 'list');
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/--tenant:\n {2}ten_\w+: one\n {2}ten_\w+: two\n/);
    expect(await run('traces', 'list', '--tenant', 'two')).toMatchObject({ code: 0 });
    expect((await tenants()).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('prints an empty list and creates no tenant in a store without tenants', async () => {
    await run('migrate', 'up');
    const before = readdirSync(world.dataFolder).sort();
    expect(await run('traces', 'list')).toMatchObject({ code: 0 });
    expect(readdirSync(world.dataFolder).sort()).toEqual(before);
    expect(await tenants()).toEqual([]);
  });
});

it('export ends without error when its pipe is closed', async () => {
  const tenant = JSON.parse(
    (await runCli(['tenants', 'create', '--name', 'desk', '--json'], { env: world.env })).stdout,
  ).tenant_id;
  const body = demoBody('refund desk');
  for (let copy = 0; copy < 3; copy += 1) await runCli(['ingest', '--tenant', tenant], { env: world.env, stdin: body });
  const command = PROGRAM.map((part) => `"${part}"`).join(' ');
  const script = `${command} export | true; echo "\${PIPESTATUS[0]}"`;
  const env = { ...world.env, PATH: process.env.PATH, HOME: world.dataFolder };
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env });
  expect(stderr).not.toMatch(/internal|EPIPE/);
  expect(stdout.trim()).toBe('0');
  expect(readFileSync(join(world.dataFolder, 'misstep.db')).length).toBeGreaterThan(0);
}, 90_000);
