import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClawTraceId } from '../../src/formats/openclaw/session-span.ts';
import { runCli, tickingClock } from './run-cli.ts';
import { localWorld, remoteWorld, type World } from './world.ts';

const AT = Date.parse('2026-05-04T10:00:00Z');
const ROUNDS = 12;
const REFUSAL = 'The first line of the patch is no header';

/** A session that sends the same invalid patch repeatedly, as OpenClaw 2026.9.6 stores it. */
function events(): string[] {
  const message = (id: string, atMs: number, value: object) =>
    JSON.stringify({
      type: 'message',
      id,
      timestamp: new Date(atMs).toISOString(),
      message: { ...value, timestamp: atMs },
    });
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const at = AT + 1_000 * (round + 1);
    const call = { type: 'toolCall', id: `call_${round}`, name: 'apply_patch', arguments: { input: 'north bed' } };
    return [
      message(`a${round}`, at, {
        role: 'assistant',
        content: [call],
        provider: 'local',
        model: 'gpt-4o',
        usage: { input: 50, output: 9, cacheRead: 0, cacheWrite: 0, totalTokens: 59 },
        stopReason: 'toolUse',
      }),
      message(`t${round}`, at + 200, {
        role: 'toolResult',
        toolCallId: `call_${round}`,
        toolName: 'apply_patch',
        content: [{ type: 'text', text: `{"status":"error","error":"${REFUSAL}"}` }],
        details: { status: 'error', error: REFUSAL },
        isError: true,
      }),
    ];
  });
  return [
    JSON.stringify({ type: 'session', version: 4, id: 's-7', timestamp: new Date(AT).toISOString(), cwd: '/home/ada' }),
    message('u1', AT + 10, { role: 'user', content: 'Patch the planting plan' }),
    ...rounds.flat(),
  ];
}

/** Every second event is compressed. */
function writeDatabase(file: string): void {
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = WAL');
  database.exec(`CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL);
    CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB,
      event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq));
    INSERT INTO session_windows VALUES ('s-7', 'agent:gardener:main');`);
  const insert = database.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const [seq, event] of events().entries()) {
    const packed = seq % 2 === 1 ? zstdCompressSync(Buffer.from(event)) : null;
    insert.run('s-7', seq, packed === null ? event : null, AT, packed, packed && event.length, packed && '{}');
  }
  database.close();
}

describe.each([
  ['local', async () => localWorld()],
  ['remote', remoteWorld],
] as const)("OpenClaw's database, %s", (_name, open) => {
  const clock = tickingClock();
  let world: World;
  let cwd: string;
  beforeAll(async () => {
    world = await open(clock);
    cwd = mkdtempSync(join(tmpdir(), 'misstep-files-'));
    writeDatabase(join(cwd, 'openclaw-agent.sqlite'));
    new BetterSqlite3(join(cwd, 'view.sqlite'))
      .exec(`CREATE VIEW transcript_events AS SELECT 's-7' AS session_id, 1 AS seq, '{}' AS event_json`)
      .close();
    new BetterSqlite3(join(cwd, 'other.sqlite')).exec('CREATE TABLE plants (name TEXT)').close();
  });
  afterAll(async () => {
    await world.close();
    rmSync(cwd, { recursive: true });
  });
  const run = (...argv: string[]) => runCli(argv, { env: world.env, cwd, clock });

  it('is analyzed by its path, including compressed events, and no file is created beside it', async () => {
    const before = readdirSync(cwd).sort();
    const { code, stdout, stderr } = await run('analyze', 'openclaw-agent.sqlite', '--format', 'json');
    const [{ trace, detections }] = JSON.parse(stdout) as [{ trace: object; detections: object[] }];
    expect([code, stderr]).toEqual([1, '']);
    expect(trace).toMatchObject({ framework: 'openclaw', agent_ids: ['gardener'] });
    expect(detections).toMatchObject([{ subtype: 'retry_storm' }]);
    expect(readdirSync(cwd).sort()).toEqual(before);
  });

  it('is imported once by its path', async () => {
    const spans = 2 + 2 * ROUNDS;
    expect(await run('import', 'openclaw-agent.sqlite', '--quiet')).toEqual({
      code: 0,
      stdout: `openclaw-agent.sqlite: ${spans} spans of 1 trace\n`,
      stderr: '',
    });
    expect((await run('import', 'openclaw-agent.sqlite')).stderr).toMatch(/^openclaw-agent\.sqlite: already imported/);
  });

  it.each([
    ['analyze', 'other.sqlite'],
    ['import', 'other.sqlite'],
    // A view can return an unlimited number of rows.
    ['analyze', 'view.sqlite'],
    ['import', 'view.sqlite'],
  ])('says which database it knows: %s %s', async (command, file) => {
    const { code, stderr } = await run(command, file);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file} is an SQLite database without the table transcript_events of OpenClaw`);
  });

  it('an export without the compressed events says that records and the end are missing', async () => {
    const rows = events().map((event, seq) => ({ session_id: 's-8', seq, event_json: seq % 2 === 1 ? null : event }));
    writeFileSync(join(cwd, 'export.json'), JSON.stringify(rows));
    const notice = `${rows.length / 2} records of this run were rejected: steps are missing, and how the run ended is not known.`;
    const analyzed = await run('analyze', 'export.json');
    expect(analyzed.stdout).toContain(notice);
    expect(analyzed.stdout).not.toMatch(/without an answer|The run ended/);
    expect((await run('analyze', 'export.json', '--format', 'markdown')).stdout).toContain(notice);
    await run('import', 'export.json', '--quiet');
    const shown = await run('traces', 'show', openClawTraceId('s-8'));
    expect(shown.stdout).toContain(notice);
    const { rejected_records } = JSON.parse((await run('traces', 'show', openClawTraceId('s-8'), '--json')).stdout);
    expect(rejected_records).toEqual({ count: rows.length / 2, is_end_missing: true });
  });

  it('a damaged database is a usage error', async () => {
    writeFileSync(join(cwd, 'damaged.sqlite'), 'SQLite format 3\u0000 and nothing behind it');
    const { code, stderr } = await run('analyze', 'damaged.sqlite');
    expect(code).toBe(2);
    expect(stderr).toContain('damaged.sqlite cannot be read');
  });
});
