import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentName, agentNamed } from '../../src/cli/hooks/agents.ts';
import { runCli } from './run-cli.ts';

let root: string;
let home: string;
let cwd: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'misstep-hooks-'));
  home = join(root, 'home');
  cwd = join(root, 'shop');
  for (const folder of [home, cwd]) mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const DATA = () => join(root, 'data');
const run = (argv: string[], env: Record<string, string> = {}) =>
  runCli(['hooks', ...argv], { cwd, env: { HOME: home, MISSTEP_DATA: DATA(), ...env } });
const install = (...argv: string[]) => run(['install', '--program', 'misstep', ...argv]);
const uninstall = (...argv: string[]) => run(['uninstall', ...argv]);
const CLAUDE = ['--agent', 'claude-code'];
const claudeFile = () => join(home, '.claude', 'settings.json');
const put = (file: string, content: string | Buffer, mode = 0o644) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
};
const read = (file: string) => readFileSync(file, 'utf8');
const commandsOf = (event: string) =>
  parse(read(claudeFile())).hooks[event].flatMap((group: { hooks: { command: string }[] }) =>
    group.hooks.map(({ command }) => command),
  );
const OURS = (data: string) => `misstep ingest --agent claude-code --data ${data}`;

const WITH_HOOKS = `{
    // mine
    "model": "opus",
    "hooks": {
        "PostToolUse": [
            { "matcher": "Edit", "hooks": [{ "type": "command", "command": "prettier --write" }] },
        ],
        "Notification": [], /* none yet */
    },
    "env": {"A": "1"}
}`;
const SETTINGS: [string, string | Buffer][] = [
  ['nothing in it', ''],
  ['an empty object', '{}'],
  ['one line', '{"model":"opus","permissions":{"allow":["Bash(ls)"]}}'],
  ['comments, hooks of others and commas at the end', WITH_HOOKS],
  ['tabs', '{\n\t"model": "opus"\n}\n'],
  ['line ends of Windows', '{\r\n  "model": "opus",\r\n  "hooks": {}\r\n}\r\n'],
  ['a byte order mark', '\ufeff{\n  "model": "ö"\n}\n'],
];

describe('misstep hooks install', () => {
  it.each(SETTINGS)('adds to settings with %s, and uninstall restores every byte', async (_title, settings) => {
    put(claudeFile(), settings, 0o640);
    expect(await install(...CLAUDE)).toMatchObject({ code: 0, stderr: '' });
    expect(read(claudeFile())).not.toBe(settings.toString());
    const { stdout } = await run(['status', ...CLAUDE, '--scope', 'user', '--json']);
    expect(JSON.parse(stdout).items[0]).toMatchObject({ state: 'installed', missing_events: [] });
    for (const event of agentNamed('claude-code').events) expect(commandsOf(event)).toContain(OURS(DATA()));
    expect(statSync(claudeFile()).mode & 0o777).toBe(0o640);
    expect(readdirSync(dirname(claudeFile()))).toEqual(['settings.json']);
    expect(await uninstall(...CLAUDE)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(claudeFile())).toEqual(Buffer.from(settings));
    expect(statSync(claudeFile()).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(DATA(), 'hooks'))).toEqual([]);
  });

  it('keeps other hooks and the layout', async () => {
    put(claudeFile(), WITH_HOOKS);
    await install(...CLAUDE);
    const text = read(claudeFile());
    expect(text).toContain('    // mine\n    "model": "opus",\n');
    expect(text).toContain('"Notification": [],');
    expect(text).toContain('/* none yet */');
    expect(text).toContain('{ "matcher": "Edit", "hooks": [{ "type": "command", "command": "prettier --write" }] }');
    expect(text).toMatch(/^ {8}"SessionStart": \[$/m);
  });

  it('creates a missing settings file and removes it again', async () => {
    await install(...CLAUDE);
    expect(commandsOf('Stop')).toEqual([OURS(DATA())]);
    expect(statSync(claudeFile()).mode & 0o077).toBe(0);
    await uninstall(...CLAUDE);
    expect(existsSync(claudeFile())).toBe(false);
  });

  it('changes nothing when repeated', async () => {
    put(claudeFile(), WITH_HOOKS);
    await install(...CLAUDE);
    const once = read(claudeFile());
    const { stdout } = await install(...CLAUDE);
    expect(stdout).toBe(`Hooks of Claude Code were already in ${claudeFile()}.\n`);
    expect(read(claudeFile())).toBe(once);
    await uninstall(...CLAUDE);
    expect(read(claudeFile())).toBe(WITH_HOOKS);
  });

  it('updates its hooks for other options and can still restore the original', async () => {
    put(claudeFile(), WITH_HOOKS);
    await install(...CLAUDE);
    await install(...CLAUDE, '--url', 'http://desk.example:4319/', '--feedback');
    expect(commandsOf('PostToolUse')).toEqual([
      'prettier --write',
      `${OURS(DATA())} --server http://desk.example:4319 --feedback`,
    ]);
    expect(commandsOf('Stop')).toEqual([`${OURS(DATA())} --server http://desk.example:4319`]);
    await uninstall(...CLAUDE);
    expect(read(claudeFile())).toBe(WITH_HOOKS);
  });

  it('replaces a hook that was added by hand', async () => {
    const byHand = { hooks: { Stop: [{ hooks: [{ type: 'command', command: '/opt/misstep ingest' }] }] } };
    put(claudeFile(), JSON.stringify(byHand));
    await install(...CLAUDE);
    expect(commandsOf('Stop')).toEqual([OURS(DATA())]);
  });

  it('writes through a symbolic link', async () => {
    const real = join(root, 'dotfiles', 'claude.json');
    put(real, '{}');
    mkdirSync(dirname(claudeFile()));
    symlinkSync('../../dotfiles/claude.json', claudeFile());
    await install(...CLAUDE);
    expect(lstatSync(claudeFile()).isSymbolicLink()).toBe(true);
    expect(read(real)).toContain('misstep ingest');
    await uninstall(...CLAUDE);
    expect(read(real)).toBe('{}');
  });

  it('--dry-run prints the change and writes nothing', async () => {
    put(claudeFile(), '{\n  "model": "opus"\n}\n');
    const { code, stdout } = await install(...CLAUDE, '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain(`--- ${claudeFile()}`);
    expect(stdout).toContain('+  "hooks": {');
    expect(stdout).toContain('-  "model": "opus"\n+  "model": "opus",');
    expect(read(claudeFile())).toBe('{\n  "model": "opus"\n}\n');
    expect(existsSync(DATA())).toBe(false);
  });

  const shapes: [AgentName, string, (settings: never) => unknown, unknown][] = [
    [
      'codex',
      '.codex/hooks.json',
      ({ hooks }: { hooks: Record<string, unknown> }) => [hooks.PostToolUse, hooks.Interrupt, hooks.SessionEnd],
      [10, 3, 3].map((timeout) => [
        { hooks: [{ type: 'command', command: 'misstep ingest --agent codex --data DATA', timeout }] },
      ]),
    ],
    [
      'gemini',
      '.gemini/settings.json',
      ({ hooks }: { hooks: Record<string, unknown> }) => hooks.AfterTool,
      [
        {
          hooks: [
            { name: 'misstep', type: 'command', command: 'misstep ingest --agent gemini --data DATA', timeout: 10000 },
          ],
        },
      ],
    ],
    [
      'qwen',
      '.qwen/settings.json',
      ({ hooks }: { hooks: Record<string, unknown> }) => hooks.PostToolUseFailure,
      [{ hooks: [{ type: 'command', command: 'misstep ingest --agent qwen --data DATA', timeout: 10000 }] }],
    ],
    [
      'copilot',
      '.copilot/settings.json',
      ({ hooks }: { hooks: Record<string, unknown> }) => hooks.PreToolUse,
      [{ bash: 'misstep ingest --agent copilot --data DATA', type: 'command', timeoutSec: 10 }],
    ],
    [
      'cursor',
      '.cursor/hooks.json',
      (settings: { version: number; hooks: Record<string, unknown> }) => [settings.version, settings.hooks.postToolUse],
      [1, [{ command: 'misstep ingest --agent cursor --data DATA', timeout: 10 }]],
    ],
  ];
  it.each(shapes)('writes the settings format of %s', async (agent, path, pick, expected) => {
    await install('--agent', agent);
    const settings = JSON.parse(read(join(home, path)).replaceAll(DATA(), 'DATA')) as never;
    expect(pick(settings)).toEqual(expected);
    await uninstall('--agent', agent);
    expect(existsSync(join(home, path))).toBe(false);
  });

  it('detects installed agents', async () => {
    expect(await install()).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--agent') });
    for (const folder of ['.codex', '.cursor']) mkdirSync(join(home, folder));
    const { stdout } = await install('--json');
    expect(JSON.parse(stdout).items.map((item: { agent: string }) => item.agent)).toEqual(['codex', 'cursor']);
    expect(existsSync(claudeFile())).toBe(false);
  });

  it.each([
    ['.copilot', 'Hooks of Copilot CLI were added to', ''],
    ['.qwen', 'Hooks of Qwen Code were added to', ''],
    ['.config/opencode', '', 'OpenCode has no hooks. Its sessions are read by `misstep sessions`'],
    ['.cline', '', 'Cline has no hooks.'],
    ['.pi', '', 'Pi has no hooks.'],
  ])('in a home with only %s, it installs or says what to use instead', async (folder, stdout, stderr) => {
    mkdirSync(join(home, folder), { recursive: true });
    const result = await install();
    expect(result.code).toBe(0);
    expect(result.stdout).toContain(stdout);
    expect(result.stderr).toContain(stderr);
  });

  it('of Copilot CLI are written to the project folder', async () => {
    await run(['install', '--program', 'misstep', '--agent', 'copilot', '--scope', 'project']);
    const file = join(cwd, '.github', 'hooks', 'misstep.json');
    expect(JSON.parse(read(file))).toMatchObject({ version: 1, hooks: { Stop: [{ type: 'command' }] } });
    await uninstall('--agent', 'copilot', '--scope', 'project');
    expect(existsSync(file)).toBe(false);
  });

  it('uses the folder of the agent’s environment variable', async () => {
    await run(['install', ...CLAUDE], { CLAUDE_CONFIG_DIR: join(root, 'elsewhere') });
    expect(existsSync(join(root, 'elsewhere', 'settings.json'))).toBe(true);
  });

  it('writes no absolute path into project settings', async () => {
    await run(['install', ...CLAUDE, '--scope', 'project']);
    const text = read(join(cwd, '.claude', 'settings.json'));
    expect(text).toContain('"command": "misstep ingest --agent claude-code"');
    expect(text).not.toContain(root);
  });

  it('quotes a program path with spaces', async () => {
    await run(['install', ...CLAUDE, '--program', "/opt/my tools/it's"]);
    expect(commandsOf('Stop')[0]).toMatch(/^'\/opt\/my tools\/it'\\''s' ingest /);
  });
});

describe('misstep hooks leaves alone', () => {
  it.each<[string, string | Buffer, RegExp]>([
    ['invalid JSON', '{"model": opus}', /not valid JSON \(line 1, column 11/],
    ['half a file', '{"hooks": {', /not valid JSON/],
    ['a list', '[]', /does not contain a JSON object/],
    ['hooks that are a list', '{"hooks": []}', /"hooks" in .* is not an object/],
    ['an event that is an object', '{"hooks": {"Stop": {}}}', /"hooks.Stop" in .* is not a list/],
    ['hooks said twice', '{"hooks": {}, "hooks": {}}', /"hooks" twice/],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /not UTF-8 text/],
  ])('%s', async (_title, settings, message) => {
    put(claudeFile(), settings);
    const { code, stdout, stderr } = await install(...CLAUDE);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(readFileSync(claudeFile())).toEqual(Buffer.from(settings));
  });

  it('a folder instead of a file, and all files if one cannot be edited', async () => {
    mkdirSync(claudeFile(), { recursive: true });
    const { code, stderr } = await install('--agent', 'codex', 'claude-code');
    expect(code).toBe(2);
    expect(stderr).toContain('is not a file');
    expect(existsSync(join(home, '.codex'))).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)('a folder it may not write to', async () => {
    put(claudeFile(), '{}');
    chmodSync(dirname(claudeFile()), 0o500);
    const { code, stderr } = await install(...CLAUDE);
    chmodSync(dirname(claudeFile()), 0o700);
    expect(code).toBe(2);
    expect(stderr).toContain('cannot be changed');
  });
});

describe('misstep hooks uninstall', () => {
  it('removes only its own hooks if the settings have changed', async () => {
    put(claudeFile(), WITH_HOOKS);
    await install(...CLAUDE);
    put(claudeFile(), read(claudeFile()).replace('"opus"', '"haiku"'));
    expect(await uninstall(...CLAUDE)).toMatchObject({ code: 0 });
    const text = read(claudeFile());
    expect(text).toContain('"model": "haiku"');
    expect(text).toContain('prettier --write');
    expect(text).toContain('// mine');
    expect(text).not.toContain('misstep');
    expect(text).not.toContain('SessionStart');
  });

  it('removes its own hook from a shared group', async () => {
    const hooks = [
      { type: 'command', command: 'say done' },
      { type: 'command', command: 'misstep ingest --agent claude-code' },
    ];
    put(claudeFile(), JSON.stringify({ hooks: { Stop: [{ hooks }], Notification: [] } }, null, 2));
    await uninstall(...CLAUDE);
    expect(JSON.parse(read(claudeFile()))).toEqual({ hooks: { Stop: [{ hooks: [hooks[0]] }], Notification: [] } });
  });

  it('works without its backups', async () => {
    put(claudeFile(), '{\n  "model": "opus"\n}\n');
    await install(...CLAUDE);
    rmSync(DATA(), { recursive: true });
    await uninstall(...CLAUDE);
    expect(JSON.parse(read(claudeFile()))).toEqual({ model: 'opus' });
  });

  it('reports that nothing is installed', async () => {
    expect(await uninstall()).toEqual({ code: 0, stdout: '', stderr: 'There were no hooks to remove.\n' });
    expect(await uninstall(...CLAUDE)).toMatchObject({
      code: 0,
      stdout: `There were no hooks of Claude Code in ${claudeFile()}.\n`,
    });
  });
});

describe('misstep hooks status', () => {
  it('shows each agent and scope', async () => {
    await install(...CLAUDE);
    put(join(cwd, '.codex', 'hooks.json'), '{');
    put(
      join(home, '.cursor', 'hooks.json'),
      JSON.stringify({ version: 1, hooks: { stop: [{ command: 'misstep ingest' }] } }),
    );
    put(
      join(home, '.gemini', 'settings.json'),
      JSON.stringify({ hooks: { AfterTool: [{ hooks: [{ command: `${root}/gone/misstep ingest` }] }] } }),
    );
    const { code, stdout } = await run(['status', '--json']);
    expect(code).toBe(0);
    const states = JSON.parse(stdout).items.map((item: Record<string, string>) => [item.agent, item.scope, item.state]);
    expect(states).toEqual([
      ['claude-code', 'user', 'installed'],
      ['claude-code', 'project', 'not installed'],
      ['codex', 'user', 'not installed'],
      ['codex', 'project', 'unreadable'],
      ['gemini', 'user', 'program missing'],
      ['gemini', 'project', 'not installed'],
      ['qwen', 'user', 'not installed'],
      ['qwen', 'project', 'not installed'],
      ['copilot', 'user', 'not installed'],
      ['copilot', 'project', 'not installed'],
      ['cursor', 'user', 'partly'],
      ['cursor', 'project', 'not installed'],
    ]);
    const text = await run(['status']);
    expect(text.stdout).toMatch(/^AGENT +SCOPE +STATE +FILE\nclaude-code +user +installed, never called +\//);
    expect(text.stderr).toContain('not valid JSON');
  });
});

it('status counts unreadable records', async () => {
  await runCli(['ingest', '--data', DATA()], { stdin: '{"level":"info"}' });
  await runCli(['traces', 'list', '--data', DATA()], { cwd, env: { HOME: home } });
  const { stdout } = await run(['status', '--json']);
  expect(JSON.parse(stdout).refused_records).toBe(1);
  expect((await run(['status'])).stderr).toContain('1 record could not be read, the last at');
});

describe('hooks that an agent never calls', () => {
  const CODEX = ['--agent', 'codex'];

  it('of Codex print how to trust them', async () => {
    expect((await install(...CODEX)).stderr).toContain('only after you trust them');
    expect((await install(...CLAUDE)).stderr).toBe('');
  });

  it('are shown until the first call', async () => {
    await install(...CODEX);
    const before = await run(['status', ...CODEX, '--scope', 'user']);
    expect(before.stdout).toContain('installed, never called');
    expect(before.stderr).toContain('only after you trust them');
    await runCli(['ingest', ...CODEX, '--data', DATA()], { stdin: '{"session_id":"s","hook_event_name":"Stop"}' });
    const after = await run(['status', ...CODEX, '--scope', 'user']);
    expect(after.stdout).toMatch(/codex +user +installed +\//);
    expect(after.stderr).not.toContain('trust');
    const { items } = JSON.parse((await run(['status', ...CODEX, '--scope', 'user', '--json'])).stdout);
    expect(items).toMatchObject([{ state: 'installed', last_called: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    expect(statSync(join(DATA(), 'hook-calls')).mode & 0o077).toBe(0);
  });
});

it('backups are owner-only', async () => {
  put(claudeFile(), '{"env":{"KEY":"secret"}}');
  const { stdout } = await install(...CLAUDE, '--json');
  const { backup } = JSON.parse(stdout).items[0];
  expect(statSync(backup).mode & 0o077).toBe(0);
  expect(Buffer.from(JSON.parse(read(backup)).original, 'base64').toString()).toBe('{"env":{"KEY":"secret"}}');
});
