import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentHome, agentHome, claudeTranscript, piSession } from '../../../test/support/agent-home.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { readSession } from '../coding-sessions/read-session.ts';
import { agentFolders } from './agent-folders.ts';
import { LocalSessions } from './local-sessions.ts';
import { bodiesOf } from './session-bodies.ts';

const START = Date.UTC(2026, 3, 1, 9);
const models = createModelCatalog();
let home: AgentHome;
beforeEach(() => {
  home = agentHome();
});
afterEach(() => home.close());

function open(excluded: string[] = []): LocalSessions {
  const folders = agentFolders({ platform: 'linux', env: home.env, home: home.home });
  return new LocalSessions({
    folders,
    cache: join(home.home, 'cache'),
    clock: { now: () => START },
    excluded,
    addonPath: () => undefined,
  });
}

/** Reads every session in full, as a command does. */
function readAll(sessions: LocalSessions) {
  for (const session of sessions.all()) {
    if (session.isFull) continue;
    const bodies = bodiesOf(sessions.inputOf(session.file));
    sessions.storeFigures(session, readSession(bodies, { models, receivedAtMs: 0 })?.item ?? null);
  }
  sessions.close();
}

const idsOf = (sessions: LocalSessions) => sessions.all().map(({ item }) => item.sessionId);
const INDEX = 'cache/sessions.json';
const claudeFile = (id: string) => `.claude/projects/-home-ana-parser/${id}.jsonl`;
const writeClaude = (id: string, more = {}) =>
  home.write(claudeFile(id), claudeTranscript({ sessionId: id, startMs: START, ...more }));

describe('sessions on this machine', () => {
  it('have title, project, branch, start and end from head and tail, however long the middle is', () => {
    writeClaude('one', { filler: 300_000 });
    const [session] = open().all();
    expect(session).toMatchObject({
      isFull: false,
      item: {
        sessionId: 'one',
        agent: 'claude-code',
        task: 'Make the parser accept tabs.',
        project: '/home/ana/parser',
        branch: 'tabs',
        startedAtMs: START + 60_000,
        endedAtMs: START + 8 * 60_000,
        costUsd: null,
        digest: null,
      },
    });
  });

  it('are of several agents, newest first', () => {
    writeClaude('one');
    home.write('.pi/agent/sessions/--home-ana--/2026_p1.jsonl', piSession('p1', '/home/ana', START + 3_600_000));
    const sessions = open().all();
    expect(sessions.map(({ item }) => [item.agent, item.sessionId])).toEqual([
      ['pi', 'p1'],
      ['claude-code', 'one'],
    ]);
  });

  it('have their subagents, in both places, in one session', () => {
    writeClaude('one');
    const side = claudeTranscript({ sessionId: 'one', startMs: START }).replaceAll(
      '"isSidechain":false',
      '"isSidechain":true,"agentId":"x"',
    );
    home.write('.claude/projects/-home-ana-parser/one/subagents/agent-x.jsonl', side);
    home.write('.claude/projects/-home-ana-parser/agent-y.jsonl', side.replaceAll('"x"', '"y"'));
    const sessions = open().all();
    expect(sessions).toHaveLength(1);
    expect(sessions[0]!.file.place).toMatchObject({ kind: 'files', paths: { length: 3 } });
  });

  it('of a prompt that is longer than the head are read further', () => {
    writeClaude('one', { prompt: `Fix this log: ${'tab '.repeat(50_000)}` });
    expect(open().all()[0]!.item.task).toContain('Fix this log');
  });

  it('that cannot be read or are empty are skipped, the others are read', () => {
    writeClaude('one');
    home.write(claudeFile('empty'), '');
    home.write(claudeFile('junk'), 'no session\n{"a":1}\n');
    home.write(claudeFile('cut'), claudeTranscript({ sessionId: 'cut', startMs: START }).slice(0, -40));
    expect(idsOf(open()).sort()).toEqual(['cut', 'one']);
  });

  it.skipIf(process.getuid?.() === 0)('in a folder without permission are named (not as root)', () => {
    writeClaude('one');
    chmodSync(join(home.home, '.claude/projects/-home-ana-parser'), 0);
    const sessions = open();
    expect(sessions.all()).toEqual([]);
    expect(sessions.unreadable).toEqual([join(home.home, '.claude/projects/-home-ana-parser')]);
  });

  it('of an excluded project or folder are neither listed nor kept in the index', () => {
    writeClaude('one');
    home.write(
      '.claude/projects/-secret/two.jsonl',
      claudeTranscript({ sessionId: 'two', startMs: START, project: '/secret/plan' }),
    );
    home.write('.codex/sessions/2026/rollout-x.jsonl', 'x');
    const sessions = open(['/secret', join(home.home, '.codex')]);
    expect(idsOf(sessions)).toEqual(['one']);
    sessions.close();
    expect(readFileSync(join(home.home, INDEX), 'utf8')).not.toContain('/secret/plan');
  });
});

describe('the index', () => {
  it('keeps full figures of sessions that did not change, readable only by their owner', () => {
    writeClaude('one', { refusal: 'do not push' });
    readAll(open());
    const [session] = open().all();
    expect(session).toMatchObject({ isFull: true, item: { digest: { refusals: 1 } } });
    expect(session!.item.costUsd).toBeGreaterThan(0);
    expect(statSync(join(home.home, INDEX)).mode & 0o777).toBe(0o600);
    expect(statSync(join(home.home, 'cache')).mode & 0o777).toBe(0o700);
  });

  it('drops the cached figures of a growing and of a deleted session', () => {
    const file = writeClaude('one');
    writeClaude('two');
    readAll(open());
    appendFileSync(file, claudeTranscript({ sessionId: 'one', startMs: START + 3_600_000 }));
    rmSync(join(home.home, claudeFile('two')));
    const sessions = open();
    expect(sessions.all()).toMatchObject([
      { isFull: false, item: { sessionId: 'one', endedAtMs: START + 3_600_000 + 480_000 } },
    ]);
    sessions.close();
    expect(readFileSync(join(home.home, INDEX), 'utf8')).not.toContain(claudeFile('two'));
  });

  it.each<[string, (index: string) => void]>([
    ['deleted', (index) => rmSync(index)],
    ['cut short', (index) => writeFileSync(index, readFileSync(index, 'utf8').slice(0, 100))],
    [
      'of another version',
      (index) => writeFileSync(index, readFileSync(index, 'utf8').replace(/"version":"\d+/, '"version":"0')),
    ],
    ['with entries of another shape', (index) => writeFileSync(index, '{"version":"1","entries":[1,2]}')],
  ])('that is %s is made again', (_name, damage) => {
    writeClaude('one');
    readAll(open());
    damage(join(home.home, INDEX));
    const sessions = open();
    expect(sessions.all()).toMatchObject([{ isFull: false, item: { sessionId: 'one' } }]);
    sessions.close();
    readAll(open());
    expect(open().all()[0]!.isFull).toBe(true);
  });

  it('that cannot be written only slows down the next reading', () => {
    writeClaude('one');
    home.write('cache', 'a file where the folder should be');
    expect(() => readAll(open())).not.toThrow();
    expect(idsOf(open())).toEqual(['one']);
  });
});

describe('sessions of OpenCode', () => {
  const info = {
    id: 'ses_1',
    directory: '/home/ana/site',
    title: 'Footer links',
    time: { created: START, updated: START + 60_000 },
  };
  const prompt = { role: 'user', time: { created: START } };
  const answer = {
    role: 'assistant',
    time: { created: START + 1000, completed: START + 2000 },
    modelID: 'claude-sonnet-4-5',
    providerID: 'anthropic',
    tokens: { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } },
    cost: 0.01,
  };
  const text = (words: string) => ({ type: 'text', text: words });

  it('are read from its storage', () => {
    const storage = '.local/share/opencode/storage';
    home.write(`${storage}/session/project/ses_1.json`, JSON.stringify(info));
    home.write(`${storage}/message/ses_1/msg_1.json`, JSON.stringify({ ...prompt, id: 'msg_1', sessionID: 'ses_1' }));
    home.write(`${storage}/message/ses_1/msg_2.json`, JSON.stringify({ ...answer, id: 'msg_2', sessionID: 'ses_1' }));
    home.write(`${storage}/part/msg_1/prt_1.json`, JSON.stringify({ ...text('Fix the footer links'), id: 'prt_1' }));
    home.write(`${storage}/part/msg_2/prt_2.json`, JSON.stringify({ ...text('Fixed.'), id: 'prt_2' }));
    readAll(open());
    expect(open().all()).toMatchObject([
      {
        isFull: true,
        item: {
          agent: 'opencode',
          sessionId: 'ses_1',
          title: 'Footer links',
          project: '/home/ana/site',
          task: 'Fix the footer links',
        },
      },
    ]);
  });

  it('are read from a copy of its database: no file appears beside it', () => {
    const file = home.write('.local/share/opencode/opencode.db', '');
    const database = new BetterSqlite3(file);
    database.pragma('journal_mode = WAL');
    database.exec(
      'CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INTEGER, time_updated INTEGER);' +
        'CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);' +
        'CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);',
    );
    database
      .prepare('INSERT INTO session VALUES (?, NULL, ?, ?, ?, ?)')
      .run('ses_1', info.directory, info.title, START, START + 60_000);
    for (const [at, message, words] of [
      [1, prompt, 'Fix the footer links'],
      [2, answer, 'Fixed.'],
    ] as const) {
      database
        .prepare('INSERT INTO message VALUES (?, ?, ?, ?)')
        .run(`msg_${at}`, 'ses_1', at, JSON.stringify(message));
      database
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?)')
        .run(`prt_${at}`, `msg_${at}`, 'ses_1', at, JSON.stringify(text(words)));
    }
    database.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    readAll(open());
    expect(open().all()).toMatchObject([
      {
        isFull: true,
        item: { agent: 'opencode', sessionId: 'ses_1', title: 'Footer links', task: 'Fix the footer links' },
      },
    ]);
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false]);
  });
});
