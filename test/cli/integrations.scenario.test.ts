import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { DIFY_KEY, type DifyServer, difyLog, startDifyServer } from '../support/dify-server.ts';
import { N8N_KEY, type N8nServer, n8nExecution, startN8nServer } from '../support/n8n-server.ts';
import { type CliResult, NOW, runCli, tickingClock } from './run-cli.ts';
import { localWorld, remoteWorld, type World, withoutRandomness } from './world.ts';

interface Step {
  /** `<instance>`, `<workflow>`, `<dify>`, `<app>`, addresses and files of keys are placeholders for values of this test. */
  argv: string[];
  code?: number;
  /** Parts of stdout; a single text is the whole output. */
  stdout?: string | (string | RegExp)[];
  stderr?: string | (string | RegExp)[];
}

const ADD = ['integrations', 'add'];
const STORY: Step[] = [
  { argv: ['integrations', 'list'], stdout: '', stderr: 'No registrations found.\n' },
  { argv: ['integrations', 'status'], stdout: '', stderr: 'No platform whose runs can be fetched is registered.\n' },
  { argv: ['integrations', 'sync'], code: 3, stderr: ['No n8n instance and no Dify app is registered'] },
  {
    argv: [...ADD, 'flowplatform', 'robot', '--name', 'x'],
    code: 2,
    stderr: ['there are n8n instance, n8n workflow'],
  },
  { argv: [...ADD, 'flowplatform', 'instance', '--name', 'x'], code: 2, stderr: [/url/] },
  { argv: [...ADD, 'flowplatform', 'instance', '--name', 'x', '--set', 'nonsense'], code: 2, stderr: ['name=value'] },
  {
    argv: [...ADD, 'flowplatform', 'instance', '--name', 'x', '--credential', 'api_key=nowhere.txt'],
    code: 2,
    stderr: ['--credential api_key'],
  },
  {
    argv: [
      ...ADD,
      'flowplatform',
      'instance',
      '--name',
      'home',
      '--url',
      '<url>',
      '--credential',
      'api_key=<key file>',
    ],
    stdout: [/^path +\/api\/v1\/flowplatform\/webhook\/mst_w1_\w{43}\nsecret +whsec_\S+\n$/],
    stderr: [/^Registered as ins_\w+\.\nIts webhook, not shown again:\n$/],
  },
  {
    argv: [...ADD, 'n8n', 'workflow', '--name', 'Pots', '--set', 'external_id=wfPots', '--signed', '--json'],
    stdout: [/"external_id": "wfPots"/, /"signed": true/],
  },
  {
    argv: ['integrations', 'list'],
    stdout: [
      /Pots +flowplatform \(n8n\) +workflow +– +– +never +wfl_/,
      /home +flowplatform \(n8n\) +instance +<url> +api_key +never +ins_/,
    ],
    stderr: '',
  },
  {
    argv: ['integrations', 'change', '<workflow>', '--name', 'Pots', '--set', 'external_id=wfPots', '--json'],
    stdout: [/"external_id": "wfPots"/, /"signed": true/],
  },
  { argv: ['integrations', 'change', '<workflow>'], code: 2, stderr: ['Give a field to change'] },
  {
    argv: ['integrations', 'change', '<workflow>', '--set', 'sync_every_minutes=5'],
    code: 2,
    stderr: ['/sync_every_minutes'],
  },
  { argv: ['integrations', 'list', '--kind', 'workflow', '--json'], stdout: [/"total": 1/] },
  {
    argv: ['integrations', 'discover'],
    stdout: [
      /^NAME +ACTIVE +NODES +DETECTIONS/,
      /Pots +yes +2 +unreachable_node, no_error_handling +wfl_\w+ +wfPots/,
      /\nPots: In the workflow of Pots no declared path leads/,
    ],
  },
  {
    argv: ['integrations', 'status'],
    stdout: [/^NAME +INTEGRATION +STATUS +READ/, /home +flowplatform \(n8n\) +never +0 +0 +0 +–/],
  },
  { argv: ['integrations', 'sync', '<workflow>'], code: 2, stderr: [/^misstep: not_found: .* there are home\. /] },
  { argv: ['integrations', 'status', 'nobody'], code: 2, stderr: [/^misstep: not_found: .* called nobody/] },
  {
    argv: ['integrations', 'sync', '--integration', 'graphruntime'],
    code: 2,
    stderr: ['Allowed choices are n8n (flowplatform), dify (llmapps).'],
  },
  { argv: ['integrations', 'sync', '<instance>', '--since', 'yesterday'], code: 2, stderr: [/RFC 3339/] },
  { argv: ['integrations', 'sync'], stdout: '', stderr: ['home: 2 executions read, 2 traces taken.\n'] },
  { argv: ['integrations', 'sync', '--json'], stdout: [/"status": "idle"/, /"executions_read": 0/] },
  {
    argv: ['integrations', 'status'],
    stdout: [/home +flowplatform \(n8n\) +idle +0 +0 +0 +– +2026-05-04T10:20/],
    stderr: '',
  },
  { argv: ['integrations', 'sync', '<instance>', '--full'], stdout: '', stderr: ['home: 2 executions read'] },
  {
    argv: [...ADD, 'llmapps', 'instance', '--name', 'kitchen', '--url', '<dify url>/v1'],
    stdout: [/^path +\/api\/v1\/llmapps\/webhook\//],
  },
  { argv: ['integrations', 'sync', 'kitchen'], code: 2, stderr: [/^misstep: not_found: /] },
  { argv: [...ADD, 'llmapps', 'app', '--name', 'Chat', '--json'], stdout: [/"name": "Chat"/] },
  { argv: ['integrations', 'sync', 'Chat'], code: 3, stderr: [/belongs to no instance/] },
  {
    argv: ['integrations', 'sync', '--integration', 'dify'],
    code: 3,
    stderr: ['No app of Dify with an instance and an API key is registered.'],
  },
  {
    argv: ['integrations', 'sync'],
    stdout: '',
    stderr: ['No app of Dify with an instance', 'home: 0 executions read, 0 traces taken.\n'],
  },
  {
    argv: [
      ...ADD,
      'llmapps',
      'app',
      '--name',
      'Recipes',
      '--set',
      'instance_id=<dify>',
      '--credential',
      'api_key=<app key file>',
      '--json',
    ],
    stdout: [/"name": "Recipes"/],
  },
  {
    argv: ['integrations', 'status'],
    stdout: [
      /home +flowplatform \(n8n\) +idle/,
      /Chat +llmapps \(Dify\) +never .* – +– +– +app_/,
      /Recipes +llmapps \(Dify\) +never .* –/,
    ],
  },
  {
    argv: ['integrations', 'sync'],
    stdout: '',
    stderr: [/^home: 0 executions read, 0 traces taken\.\nRecipes: 2 runs read, 2 traces taken\.\n$/],
  },
  {
    argv: ['integrations', 'sync', 'Recipes', '--full'],
    stdout: '',
    stderr: 'Recipes: 2 runs read, 2 traces taken.\n',
  },
  { argv: ['integrations', 'sync', '<app>', '--since', '2026-05-04T10:19:30Z'], stderr: ['Recipes: 1 run read, '] },
  { argv: ['integrations', 'sync', 'kitchen', '--full'], stderr: 'Recipes: 2 runs read, 2 traces taken.\n' },
  {
    argv: ['integrations', 'status', '<dify>', '--json'],
    stdout: [/"total": 1/, /"integration": "llmapps"/, /"app_name": "Recipes"/, /"instance_name": "kitchen"/],
  },
  {
    argv: ['integrations', 'status', 'Recipes'],
    stdout: [/^NAME .*\nRecipes +llmapps \(Dify\) +idle +2 +2 +0 +– .*\n$/],
  },
  {
    argv: ['integrations', 'status', '--integration', 'flowplatform', '--json'],
    stdout: [/"total": 1/, /"name": "home"/],
  },
  { argv: [...ADD, 'llmapps', 'app', '--name', 'home', '--json'], stdout: [/"name": "home"/] },
  { argv: ['integrations', 'sync', 'home'], code: 2, stderr: [/2 are called home: ins_\w+, app_\w+; give an id\./] },
  { argv: ['integrations', 'sync', 'home', '--integration', 'flowplatform'], stderr: ['home: 0 executions read'] },
  { argv: ['integrations', 'rotate', '<workflow>'], code: 2, stderr: ['Confirm with --yes.'] },
  {
    argv: ['integrations', 'rotate', '<workflow>', '--yes'],
    stdout: [/^path +\/api\/v1\/flowplatform\/webhook\/mst_w1_/],
  },
  { argv: ['integrations', 'remove', '<workflow>', '--yes'], stdout: '', stderr: [/^wfl_\w+ removed\.\n$/] },
  { argv: ['integrations', 'remove', '<workflow>', '--yes'], code: 2, stderr: [/^misstep: not_found: /] },
];

const MARKS: Record<string, string> = {
  'flowplatform instance --name home': '<instance>',
  'n8n workflow --name Pots': '<workflow>',
  'llmapps instance --name kitchen': '<dify>',
  'llmapps app --name Recipes': '<app>',
};

const worlds: [string, (clock: Clock) => World | Promise<World>][] = [
  ['on the local store', localWorld],
  ['against a server', remoteWorld],
];
const transcripts: string[][] = [];

let n8n: N8nServer;
let dify: DifyServer;
beforeAll(async () => {
  dify = await startDifyServer();
  dify.logs = [difyLog('first', NOW / 1_000 - 60), difyLog('second', NOW / 1_000 - 20)];
  n8n = await startN8nServer();
  const node = (name: string, type: string) => ({ name, type, parameters: {}, position: [0, 0] });
  const nodes = [node('Hook', 'n8n-nodes-base.webhook'), node('Water', 'n8n-nodes-base.httpRequest')];
  n8n.workflows = [
    {
      id: 'wfPots',
      name: 'Pots',
      active: true,
      nodes,
      connections: { Hook: { main: [[]] }, Water: { main: [[{ node: 'Water', type: 'main', index: 0 }]] } },
      settings: {},
    },
  ];
  n8n.executions = [n8nExecution(1), n8nExecution(2)];
});
afterAll(() => Promise.all([n8n.close(), dify.close()]));

describe.each(worlds)('integrations %s', (_name, open) => {
  let world: World;
  let ids: [name: string, id: string][] = [];
  const clock = tickingClock();
  const transcript: string[] = [];
  const run = (argv: readonly string[]) => runCli(argv, { clock, env: world.env });
  beforeAll(async () => {
    world = await open(clock);
    transcripts.push(transcript);
    const keyFile = join(world.dataFolder, 'n8n-key.txt');
    writeFileSync(keyFile, `${N8N_KEY}\n`);
    const appKeyFile = join(world.dataFolder, 'dify-key.txt');
    writeFileSync(appKeyFile, `${DIFY_KEY}\n`);
    ids = [
      ['<url>', n8n.url],
      ['<key file>', keyFile],
      ['<dify url>', dify.url],
      ['<app key file>', appKeyFile],
    ];
  });
  afterAll(() => world.close());

  const withIds = (text: string) => ids.reduce((filled, [mark, id]) => filled.replaceAll(mark, id), text);

  it.each(STORY)('$argv', async ({ argv, code = 0, stdout, stderr }) => {
    const result = await run(argv.map(withIds));
    const newId = /\b(?:ins|wfl|app)_\w{26}\b/.exec(argv[1] === 'add' ? result.stdout + result.stderr : '');
    if (newId) ids.push([MARKS[argv.slice(2, 6).join(' ')] ?? '<unused>', newId[0]]);
    transcript.push(transcriptOf(argv, result));
    expect(result.code, result.stderr).toBe(code);
    expectText(result.stdout, stdout, withIds);
    expectText(result.stderr, stderr, withIds);
  });

  it('stores the executions as traces', async () => {
    expect((await run(['traces', 'list'])).stdout.match(/Pots/g)).toHaveLength(2);
  });

  // Not in the story: a server may start a scheduled sync at any time.
  it('shows the sync interval of a platform', async () => {
    const add = [...ADD, 'flowplatform', 'instance', '--name', 'timed', '--url', n8n.url, '--credential', 'api_key=-'];
    await runCli([...add, '--set', 'sync_every_minutes=30'], { clock, env: world.env, stdin: N8N_KEY });
    expect((await run(['integrations', 'status', 'timed'])).stdout).toMatch(
      /\ntimed +flowplatform \(n8n\) +\w+ .* 30 min /,
    );
  });

  it('shows why a sync failed', async () => {
    const add = [...ADD, 'flowplatform', 'instance', '--name', 'away', '--url', n8n.url, '--credential', 'api_key=-'];
    const added = await runCli([...add, '--json'], { clock, env: world.env, stdin: 'another key' });
    const id = JSON.parse(added.stdout).instance_id;
    const { code, stderr } = await run(['integrations', 'sync', id]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('away: n8n refuses the API key (401: unauthorized)')]);
  });

  it('never shows the key', () => {
    for (const key of [N8N_KEY, DIFY_KEY]) expect(transcript.join()).not.toContain(key);
  });
});

it('prints the same for the local store and a server', () => {
  const [local, remote] = transcripts;
  expect(local).toHaveLength(STORY.length);
  expect(remote).toEqual(local);
});

function transcriptOf(argv: string[], { code, stdout, stderr }: CliResult): string {
  const text = [`$ misstep ${argv.join(' ')}`, stdout, stderr, `exit code ${code}`].join('\n');
  return withoutRandomness(text)
    .replaceAll(/mst_w1_\w{43}|whsec_[\w+/=]+/g, '<secret>')
    .replaceAll(/\b(ins|wfl|app)_\w{26}\b/g, '<$1>');
}

function expectText(text: string, expected: Step['stdout'], withIds: (text: string) => string): void {
  if (typeof expected === 'string') expect(text).toBe(expected);
  else
    for (const part of expected ?? []) {
      if (typeof part === 'string') expect(text).toContain(withIds(part));
      else expect(text).toMatch(new RegExp(withIds(part.source), part.flags));
    }
}
