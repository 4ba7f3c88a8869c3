import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentHome, agentHome, claudeTranscript, piSession } from '../support/agent-home.ts';
import { startHost } from './mcp-host.ts';
import { NOW, runCli, tickingClock } from './run-cli.ts';
import { remoteWorld } from './world.ts';

const DAY_MS = 86_400_000;
const START = NOW - 3 * DAY_MS;

let home: AgentHome;
beforeEach(() => {
  home = agentHome();
  home.write(
    '.claude/projects/-home-ana-parser/aaaaaaaa-1.jsonl',
    transcript('aaaaaaaa-1', 0, 'No, use pnpm, not npm.'),
  );
  home.write(
    '.claude/projects/-home-ana-parser/aaaaaaaa-2.jsonl',
    transcript('aaaaaaaa-2', 1, 'use pnpm instead of npm please'),
  );
  home.write(
    '.claude/projects/-home-ana-site/bbbbbbbb-1.jsonl',
    claudeTranscript({
      sessionId: 'bbbbbbbb-1',
      startMs: START + DAY_MS / 2,
      project: '/home/ana/site',
      branch: 'main',
      prompt: 'Add a footer.',
      model: 'model-without-price',
    }),
  );
  home.write('.pi/agent/sessions/--home-ana--/p.jsonl', piSession('pppppppp-1', '/home/ana/list', START - 30 * DAY_MS));
});
afterEach(() => home.close());

function transcript(sessionId: string, day: number, refusal: string): string {
  return claudeTranscript({ sessionId, startMs: START + day * DAY_MS, refusal });
}

const run = (...argv: string[]) => runCli(['sessions', ...argv], { env: home.env, clock: tickingClock() });
const json = async (...argv: string[]) => {
  const { code, stdout, stderr } = await run(...argv, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};
const idsIn = ({ sessions }: { sessions: { session_id: string }[] }) => sessions.map(({ session_id }) => session_id);

describe('misstep sessions', () => {
  it('lists by project with title, cost, end, refusals and failures', async () => {
    const { code, stdout, stderr } = await run();
    expect(code, stderr).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/STARTED +TITLE +TIME +COST +END +REFUSED +FAILED +AGENT +SESSION/);
    expect(lines.filter((line) => line.startsWith('/'))).toEqual([
      '/home/ana/parser',
      '/home/ana/site',
      '/home/ana/list',
    ]);
    expect(lines[2]).toMatch(/Make the parser accept…? .* \$0\.04 +\w+ +1 +1 +claude-code +aaaaaaaa-2$/);
    expect(stderr).toBe('Price unknown: model-without-price\n');
    expect(stdout).toMatch(/Add a footer\. .* unknown /);
  });

  it('writes only the index and reads figures from it', async () => {
    const before = filesIn(home.home);
    const first = await json();
    const after = filesIn(home.home);
    expect(after.filter((file) => !before.includes(file))).toEqual(['cache/misstep/sessions.json']);
    expect(await json('--quick')).toEqual(first);
  });

  it('reports what is missing if only head and tail are read', async () => {
    const { stdout, stderr } = await run('--quick');
    expect(stdout).toContain('Make the parser accept');
    expect(stdout).not.toContain('$');
    expect(stderr).toMatch(/4 sessions \(1 MB\) not read in full: figures are missing\. --full reads them\./);
    expect((await json('--quick')).unread).toBe(4);
  });

  it.each<[string[], string[]]>([
    [['--agent', 'pi'], ['pppppppp-1']],
    [
      ['--project', '/home/ana/parser'],
      ['aaaaaaaa-2', 'aaaaaaaa-1'],
    ],
    [['--project', 'site'], ['bbbbbbbb-1']],
    [['--since', '2026-05-02'], ['aaaaaaaa-2']],
    [['--until', '2026-05-01'], ['pppppppp-1']],
    [['--limit', '1'], ['aaaaaaaa-2']],
    [['--exclude', '/home/ana/parser', '--exclude', '/home/ana/list'], ['bbbbbbbb-1']],
  ])('%s', async (flags, ids) => expect(idsIn(await json(...flags))).toEqual(ids));

  it('omits folders that the config file excludes', async () => {
    const config = home.write(
      'config.json',
      JSON.stringify({ sessions_exclude: ['/home/ana/parser', '/home/ana/site'] }),
    );
    const { stdout } = await runCli(['--config', config, 'sessions', '--json'], {
      env: home.env,
      clock: tickingClock(),
    });
    expect(idsIn(JSON.parse(stdout))).toEqual(['pppppppp-1']);
  });

  it.each([
    [['--project', '/nonexistent'], 'No sessions match --project. Without it: 4 sessions.\n'],
    [
      ['--agent', 'codex', '--since', '2026-01-01'],
      'No sessions match --agent and --since. Without them: 4 sessions.\n',
    ],
  ])('names the filters %j that match nothing', async (flags, text) => {
    expect(await run(...flags)).toMatchObject({ code: 0, stdout: '', stderr: text });
  });

  it('rejects an unknown agent', async () => {
    const { code, stderr } = await run('--agent', 'foo');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--agent takes one of claude-code, codex, ')]);
  });

  it('rejects an invalid date', async () => {
    const { code, stderr } = await run('--since', 'yesterday');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--since takes a date')]);
  });

  it('prints an empty list without session folders', async () => {
    const { code, stderr } = await runCli(['sessions'], { env: { HOME: join(home.home, 'nobody') } });
    expect([code, stderr]).toEqual([0, expect.stringContaining('No sessions found.')]);
  });
});

describe('misstep sessions show', () => {
  it('prints a summary of one session', async () => {
    const { code, stdout, stderr } = await run('show', 'aaaaaaaa-1');
    expect(code, stderr).toBe(0);
    const sections = stdout.split('\n').filter((line) => /^[A-Z]/.test(line));
    expect(sections.slice(1)).toEqual(['Asked', 'Done', 'Where it went wrong', 'Cost', 'End']);
    expect(stdout).toContain('/home/ana/parser · branch tabs · claude-code');
    expect(stdout).toContain('1 file changed: parser.js');
    expect(stdout).toMatch(/The user refused Bash: git push origin main\n +No, use pnpm, not npm\./);
    expect(stdout).toMatch(/prices of the day of each call, as listed on \d{4}-\d\d-\d\d/);
    expect(stdout).toContain('The parser accepts tabs.');
  });

  it('names a model without a price', async () => {
    const { stdout } = await run('show', 'bbbb');
    expect(stdout).toContain('price unknown: model-without-price');
  });

  it('rejects an ambiguous prefix and an unknown id', async () => {
    const several = await run('show', 'aaaa');
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining('aaaa is a prefix of 2 session ids')]);
    const none = await run('show', 'nope');
    expect([none.code !== 0, none.stderr]).toEqual([true, expect.stringContaining('There is no session nope')]);
  });
});

describe('misstep sessions week', () => {
  it('sums up, and proposes a line for a recurring correction', async () => {
    const week = await json('week');
    expect(week).toMatchObject({
      session_count: 3,
      refusals: 2,
      unpriced_models: ['model-without-price'],
      corrections: [{ project: '/home/ana/parser', times: 2, sessions: ['aaaaaaaa-2', 'aaaaaaaa-1'] }],
      proposals: [
        {
          project: '/home/ana/parser',
          file: 'CLAUDE.md',
          line: '- Use pnpm, not npm.',
          because: 'corrected in 2 sessions',
        },
      ],
    });
    const { stdout } = await run('week');
    expect(stdout).toContain('Repeated corrections');
    expect(stdout).toContain('/home/ana/parser/CLAUDE.md: Use pnpm, not npm.');
    expect(existsSync('/home/ana/parser/CLAUDE.md')).toBe(false);
  });

  it('is Markdown whose texts are escaped', async () => {
    home.write(
      '.claude/projects/-home-ana-x/cccccccc-1.jsonl',
      claudeTranscript({ sessionId: 'cccccccc-1', startMs: START, project: '/home/ana/x*y', refusal: 'a' }),
    );
    const { stdout } = await run('week', '--format', 'markdown', '--days', '60');
    expect(stdout).toMatch(/^# Coding sessions, /);
    expect(stdout).toContain('## Lines to add (shown, not applied)');
    expect(stdout).toContain('/home/ana/x\\*y');
  });

  it('prints that there are no sessions', async () => {
    const { stderr } = await runCli(['sessions', 'week', '--days', '1'], { env: { HOME: join(home.home, 'nobody') } });
    expect(stderr).toBe('No sessions in the last 1 day.\n');
  });
});

it('a server shows the same for its sessions', async () => {
  const world = await remoteWorld(tickingClock());
  try {
    const files = [
      '.claude/projects/-home-ana-parser/aaaaaaaa-1.jsonl',
      '.claude/projects/-home-ana-parser/aaaaaaaa-2.jsonl',
    ];
    const env = { ...home.env, ...world.env };
    const imported = await runCli(['import', ...files.map((file) => join(home.home, file))], { env });
    expect(imported.code, imported.stderr).toBe(0);
    const { items } = JSON.parse((await runCli(['traces', 'list', '--json'], { env })).stdout);
    for (const { trace_id } of items) await runCli(['analyze', trace_id], { env });
    const runOnBoth = async (words: string[]) => {
      const clock = tickingClock();
      const [local, remote] = [await runCli(words, { env: home.env, clock }), await runCli(words, { env, clock })];
      expect([remote.code, remote.stderr]).toEqual([0, '']);
      return [local.stdout, remote.stdout];
    };
    const [local, remote] = await runOnBoth(['sessions', '--project', '/home/ana/parser']);
    expect(remote).toBe(local);
    const [shown, shownRemote] = await runOnBoth(['sessions', 'show', 'aaaaaaaa-1']);
    expect(shownRemote).toBe(shown);
    const week = JSON.parse((await runCli(['sessions', 'week', '--json'], { env })).stdout);
    expect(week).toMatchObject({ session_count: 2, proposals: [{ line: '- Use pnpm, not npm.' }] });
    const refused = await runCli(['sessions', 'show', 'aaaaaaaa'], { env });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is a prefix of several session ids')]);
  } finally {
    await world.close();
  }
});

it('an agent reads its own record through MCP', async () => {
  const host = await startHost(home.env);
  try {
    const listed = await host.call('list_sessions', { project: '/home/ana/parser' });
    expect(listed).toMatchObject({
      isError: false,
      structured: { total: 2, sessions: [{ refusals: 1, failures: 1 }, {}] },
    });
    const { text, structured } = await host.call('show_session', { session_id: 'aaaaaaaa-1' });
    expect(structured.file_count).toBe(1);
    expect(structured.problems).toContainEqual(
      expect.objectContaining({
        kind: 'refusal',
        untrusted: expect.objectContaining({ detail: 'No, use pnpm, not npm.' }),
      }),
    );
    expect(text).toContain('The user refused Bash: git push origin main');
    const none = await host.call('show_session', { session_id: 'nope' });
    expect(none).toMatchObject({ isError: true, text: expect.stringContaining('list_sessions lists') });
  } finally {
    await host.close();
  }
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
