import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { serve } from '../support/served.ts';
import { type CliResult, runCli, tickingClock } from './run-cli.ts';
import { localWorld, remoteWorld, type World, withoutRandomness } from './world.ts';

interface Step {
  /** `<detection>` stands for the first detection, `<op>` for the last planned operation. */
  argv: string[];
  code?: number;
  stdout?: (string | RegExp)[];
  stderr?: string | (string | RegExp)[];
  /** Content of the file after the step. */
  file?: string;
}

const LIMIT = '[{"op":"replace","path":"/limit","value":6}]';
const YAML = 'limit: 24 # far\n';

/** Run in order; each step sees the effects of the previous ones. */
const STORY: Step[] = [
  { argv: ['heal', 'list'], stderr: 'No operations found.\n' },
  { argv: ['heal', 'policy'], stdout: [/policy +manual: a person approves/, /at most +5 a day/], stderr: '' },
  {
    argv: ['heal', 'plan', '<detection>', '--file', '../x.yaml'],
    code: 2,
    stderr: [/target\/path: is not a file in a folder/],
  },
  { argv: ['heal', 'plan', '<detection>', '--file', 'a', '--setting', 'b'], code: 2, stderr: ['Give one of --file'] },
  { argv: ['heal', 'plan', '<detection>', '--target', '{'], code: 2, stderr: ['--target is not valid JSON.'] },
  { argv: ['heal', 'plan', 'det_none'], code: 2, stderr: [/^misstep: not_found: /] },
  {
    argv: ['heal', 'plan', '<detection>', '--file', 'planner.yaml', '--patch', LIMIT],
    stdout: [
      /status +pending_approval/,
      /changes +planner\.yaml \(config_file\)/,
      '-limit: 24 # far\n+limit: 6 # far\n',
    ],
    stderr: [/^Next: misstep heal approve op_/],
    file: YAML,
  },
  { argv: ['heal', 'execute', '<op>'], code: 3, stderr: ['An operation that is pending_approval cannot be executed.'] },
  {
    argv: ['heal', 'approve', '<op>', '--note', 'go on'],
    stdout: [/status +approved/, /approved +\w+ \S+ go on/],
    stderr: [/^Next: misstep heal execute op_/],
  },
  {
    argv: ['heal', 'list', '--status', 'approved'],
    stdout: [/^CREATED +STATUS +FIX +CHANGES +BY +OPERATION\n/, '<op>'],
  },
  {
    argv: ['heal', 'execute', '<op>'],
    stdout: [/status +applied/, /last check +after at /, /rollback +possible/],
    stderr: '',
    file: 'limit: 6 # far\n',
  },
  { argv: ['heal', 'execute', '<op>'], code: 3, stderr: ['An operation that is applied cannot be executed.'] },
  { argv: ['heal', 'check', '<op>', '--json'], stdout: ['"found": "after"'] },
  { argv: ['heal', 'rollback', '<op>'], stdout: [/status +rolled_back/, /rolled back +2026-05-04T/], file: YAML },
  { argv: ['heal', 'history'], stdout: [/^APPLIED +STATUS/, /rolled_back/] },
  { argv: ['heal', 'show', '<op>'], stdout: [/status +rolled_back/, '+limit: 6 # far'], stderr: '' },
  { argv: ['heal', 'plan', '<detection>', '--json'], stdout: ['"executor": "manual"'] },
  { argv: ['heal', 'reject', '<op>', '--note', 'no'], stdout: [/status +rejected/, /note +no/] },
  { argv: ['heal', 'plan', '<detection>'], stdout: [/\(manual\)/] },
  { argv: ['heal', 'approve', '<op>', '--quiet'], stderr: '' },
  { argv: ['heal', 'execute', '<op>'], stdout: [/status +executing/], stderr: [/^Apply the change yourself, then: /] },
  {
    argv: ['heal', 'resolve', '<op>', 'perhaps'],
    code: 2,
    stderr: ['Allowed choices are applied, failed, rolled_back'],
  },
  { argv: ['heal', 'resolve', '<op>', 'failed'], stdout: [/status +failed/] },
  { argv: ['heal', 'policy', '--auto', '--allow', 'loop_guard'], code: 2, stderr: ['such as loop_guard=low'] },
  {
    argv: ['heal', 'policy', '--auto', '--allow', 'loop_guard=high', '--max-per-day', '2'],
    stdout: [/without approval +loop_guard up to high risk/, /at most +2 a day/],
  },
  {
    argv: ['heal', 'policy', '--manual', '--forbid', 'loop_guard', '--json'],
    stdout: ['"policy": "manual"', '"fix_types": {}'],
  },
  {
    argv: ['audit', '--action', 'healing'],
    stdout: [
      /^AT +WHO +WHAT +OBJECT +GIVEN +OUTCOME\n/,
      'healing.change-policy',
      /healing\.rollback +op_/,
      /healing\.approve +op_\w+ +note +done/,
    ],
    stderr: '',
  },
  { argv: ['audit', '--object', '<op>', '--json'], stdout: [/"action": "healing.resolve"/] },
  { argv: ['audit', '--actor', 'nobody'], stderr: 'No changes found.\n' },
];

const worlds: [string, (clock: Clock, root: string) => World | Promise<World>][] = [
  [
    'on the local store',
    (_clock, root) => {
      const world = localWorld();
      return { ...world, env: { ...world.env, MISSTEP_HEALING_ROOT: root } };
    },
  ],
  ['against a server', (clock, folder) => remoteWorld(clock, { healingRoots: [{ folder, tenantId: null }] })],
];
const transcripts: string[][] = [];

describe.each(worlds)('healing %s', (_name, open) => {
  let world: World;
  let root: string;
  let detection: string;
  let operation = '';
  const clock = tickingClock();
  const transcript: string[] = [];
  const run = (argv: readonly string[]) => runCli(argv, { clock, env: world.env });
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'misstep-heal-'));
    writeFileSync(join(root, 'planner.yaml'), YAML);
    world = await open(clock, root);
    transcripts.push(transcript);
    await run(['demo', '--quiet']);
    const { items } = JSON.parse((await run(['detections', 'list', '--type', 'loop', '--json'])).stdout);
    detection = items.find(({ subtype }: { subtype: string }) => subtype === 'recursion_limit').detection_id;
  });
  afterAll(async () => {
    await world.close();
    rmSync(root, { recursive: true });
  });

  const withIds = (text: string) => text.replaceAll('<detection>', detection).replaceAll('<op>', operation);

  it.each(STORY)('$argv', async ({ argv, code = 0, stdout, stderr, file }) => {
    const result = await run(argv.map(withIds));
    transcript.push(transcriptOf(argv, result));
    expect(result.code, result.stderr).toBe(code);
    if (argv[1] === 'plan') operation = /op_[0-9a-z]{26}/.exec(result.stdout)?.[0] ?? operation;
    expectText(result.stdout, stdout, withIds);
    expectText(result.stderr, stderr, withIds);
    if (file !== undefined) expect(readFileSync(join(root, 'planner.yaml'), 'utf8')).toBe(file);
  });
});

it('on the local store uses the folders of the server that runs on it', async () => {
  const { dataFolder, env, close } = localWorld();
  const root = mkdtempSync(join(tmpdir(), 'misstep-heal-'));
  writeFileSync(join(root, 'planner.yaml'), YAML);
  const run = (...argv: string[]) => runCli(argv, { clock: { now: () => Date.now() }, env });
  await run('demo', '--quiet');
  const [{ detection_id }] = JSON.parse((await run('detections', 'list', '--json')).stdout).items;
  const plan = ['heal', 'plan', detection_id, '--file', 'planner.yaml', '--patch', LIMIT];
  const server = await serve(dataFolder, '--healing-root', root);
  try {
    expect(await run(...plan)).toMatchObject({ code: 0, stdout: expect.stringContaining('+limit: 6 # far') });
  } finally {
    await server.end('SIGTERM');
    rmSync(root, { recursive: true });
  }
  expect(await run(...plan)).toMatchObject({ code: 3, stderr: expect.stringContaining('set MISSTEP_HEALING_ROOT') });
  await close();
});

it('prints the same for the local store and a server', () => {
  const [local, remote] = transcripts;
  expect(local).toHaveLength(STORY.length);
  expect(remote).toEqual(local);
});

function transcriptOf(argv: string[], { code, stdout, stderr }: CliResult): string {
  const text = [`$ misstep ${argv.join(' ')}`, stdout, stderr, `exit code ${code}`].join('\n');
  return withoutRandomness(text)
    .replaceAll(/key_x+|operator/g, '<who>')
    .replaceAll(/"request_id": \S+/g, '"request_id": <id>')
    .replaceAll(/\d\d:\d\d\.\d{3}Z/g, '<moment>')
    .replaceAll(/[0-9a-f]{64}/g, '<digest>')
    .replaceAll(/ +/g, ' ');
}

function expectText(text: string, expected: Step['stderr'], withIds: (text: string) => string): void {
  if (typeof expected === 'string') expect(text).toBe(expected);
  else
    for (const part of expected ?? []) {
      if (typeof part === 'string') expect(text).toContain(withIds(part));
      else expect(text).toMatch(part);
    }
}
