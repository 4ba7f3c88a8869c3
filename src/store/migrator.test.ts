import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyBeforeMigrating } from './data-folder/migration-copies.ts';
import { openSqlite, sqliteColumnTypes } from './dialect.ts';
import { createMigrator } from './migrator.ts';
import { openStore, openUnmigrated } from './open-store.ts';

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-migrate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const optionsIn = () => ({ file: join(folder, 'data', 'misstep.db'), durability: 'normal' as const });

describe('migrations', () => {
  it('migrate an empty file once, without a backup', async () => {
    const first = await openStore(optionsIn(), clock);
    expect((await first.migrator.status()).every((migration) => migration.appliedAt === clock.now())).toBe(true);
    expect(first.backupFile).toBeNull();
    await first.close();
    const second = await openStore(optionsIn(), clock);
    expect(await second.migrator.up()).toEqual([]);
    await second.close();
  });

  it('list the pending changes and change nothing in a dry run', async () => {
    const store = await openUnmigrated(optionsIn(), clock);
    const names = await store.migrator.up(true);
    expect(names[0]).toBe('0001-foundation');
    expect((await store.migrator.status()).map((migration) => migration.appliedAt)).toEqual(names.map(() => null));
    await store.close();
  });

  it('are reverted to an empty schema', async () => {
    const store = await openStore(optionsIn(), clock);
    while ((await store.migrator.down()).length > 0);
    const tables = await store.db.introspection.getTables();
    expect(tables.map((table) => table.name)).toEqual(['schema_migrations']);
    await store.close();
  });

  it('copy an existing database before changing it', async () => {
    const store = await openStore(optionsIn(), clock);
    await store.close();
    const later = { name: '9999-later', up: async () => {}, down: async () => {} };
    const connection = openSqlite(optionsIn());
    const { migrations } = await import('../../migrations/index.ts');
    const migrator = createMigrator(connection, [...migrations, later], sqliteColumnTypes, clock);
    expect(await migrator.up(true)).toEqual(['9999-later']);
    await connection.close();
    const copy = await copyBeforeMigrating(optionsIn(), clock);
    expect(copy).toBe(`${optionsIn().file}.before-20260102T030405Z.bak`);
    expect(existsSync(copy as string)).toBe(true);
  });

  it('reject a database of a newer program and name the unknown migrations', async () => {
    const store = await openStore(optionsIn(), clock);
    await store.close();
    const connection = openSqlite(optionsIn());
    const { migrations } = await import('../../migrations/index.ts');
    const later = { name: '9999-later', up: async () => {}, down: async () => {} };
    await createMigrator(connection, [...migrations, later], sqliteColumnTypes, clock).up();
    await connection.close();
    await expect(openStore(optionsIn(), clock)).rejects.toMatchObject({
      code: 'database_newer',
      message: expect.stringContaining('9999-later'),
    });
  });

  it('leave no changes of one that fails', async () => {
    const connection = openSqlite(optionsInMemory());
    const broken = {
      name: '0001-broken',
      async up(db: Parameters<NonNullable<typeof import('../../migrations/index.ts')['migrations'][0]>['up']>[0]) {
        await db.schema.createTable('half').addColumn('id', 'integer').execute();
        throw new Error('no more');
      },
      down: async () => {},
    };
    const migrator = createMigrator(connection, [broken], sqliteColumnTypes, clock);
    await expect(migrator.up()).rejects.toThrow('no more');
    expect((await connection.db.introspection.getTables()).map((table) => table.name)).toEqual(['schema_migrations']);
    expect((await migrator.status())[0]?.appliedAt).toBeNull();
    await connection.close();
  });
});

it('add and revert failure ranks without losing traces', async () => {
  const { migrations } = await import('../../migrations/index.ts');
  const upTo = migrations.findIndex(({ name }) => name === '0023-failure-ranks');
  const store = await openUnmigrated(optionsIn(), clock);
  const before = createMigrator(store, migrations.slice(0, upTo), sqliteColumnTypes, clock);
  await before.up();
  const trace = {
    tenant_no: 1,
    trace_id: 'a1',
    framework: 'crewai',
    name: 'run',
    status: 'ok',
    started_at: 5,
    span_count: 1,
    state_count: 0,
    agent_ids: '[]',
    models: '[]',
    total_tokens: 0,
    input_tokens: 0,
    output_tokens: 0,
    detection_count: 0,
    version: 1,
    root_seen: 1,
    root_ended: 1,
    is_settled: 1,
    updated_at: 5,
  };
  await store.db
    .insertInto('traces')
    .values(trace as never)
    .execute();
  const rows = () => store.db.selectFrom('traces').selectAll().execute();
  const [old] = await rows();
  const all = createMigrator(store, migrations.slice(0, upTo + 1), sqliteColumnTypes, clock);
  expect(await all.up()).toEqual(['0023-failure-ranks']);
  expect(await rows()).toEqual([{ ...old, traffic: null, risk_columns: null, rank_percent: -1 }]);
  expect(await all.down()).toEqual(['0023-failure-ranks']);
  expect(await rows()).toEqual([old]);
  expect(await all.up()).toEqual(['0023-failure-ranks']);
  await store.close();
});

it('add the trace id to existing outbox events', async () => {
  const { migrations } = await import('../../migrations/index.ts');
  const connection = openSqlite(optionsInMemory());
  const upTo = migrations.findIndex(({ name }) => name === '0015-outbox-of-traces');
  await createMigrator(connection, migrations.slice(0, upTo), sqliteColumnTypes, clock).up();
  const event = { kind: 'detection.created', created_at: 0, deliver_after: 0, attempts: 0, delivered_at: null };
  const events = Array.from({ length: 1_203 }, (_, at) => ({
    ...event,
    tenant_no: 1 + (at % 2),
    outbox_id: `out_${at}`,
    payload: at === 7 ? '{}' : JSON.stringify({ trace_id: `t${at}` }),
  }));
  for (let at = 0; at < events.length; at += 400)
    await connection.db
      .insertInto('outbox')
      .values(events.slice(at, at + 400) as never)
      .execute();
  await createMigrator(connection, migrations, sqliteColumnTypes, clock).up();
  const rows = await connection.db.selectFrom('outbox').select(['outbox_id', 'trace_id']).execute();
  const named = Object.fromEntries(rows.map((row) => [row.outbox_id, row.trace_id]));
  expect(named).toEqual(Object.fromEntries(events.map((_, at) => [`out_${at}`, at === 7 ? null : `t${at}`])));
  await connection.close();
});

it('take the time of an earlier decision about an issue', async () => {
  const { migrations } = await import('../../migrations/index.ts');
  const connection = openSqlite(optionsInMemory());
  const upTo = migrations.findIndex(({ name }) => name === '0029-issue-triaged-at');
  await createMigrator(connection, migrations.slice(0, upTo), sqliteColumnTypes, clock).up();
  const issue = { tenant_no: 1, detection_type: 'loop', subtype: 'cyclic', title: 'A loop', severity: 'warning' };
  const times = { first_seen_at: 1, last_seen_at: 1 };
  const decisions = [
    { status: 'open' },
    { status: 'open', last_resolved_at: 5 },
    { status: 'ignored', ignored_at: 7 },
    { status: 'resolved', resolved_at: 9 },
  ];
  for (const [at, decision] of decisions.entries())
    await connection.db
      .insertInto('issues')
      .values({ ...issue, ...times, ...decision, issue_id: `iss_${at}`, fingerprint: `${at}` } as never)
      .execute();
  const rows = () => connection.db.selectFrom('issues').selectAll().orderBy('issue_id').execute();
  const old = await rows();
  const all = createMigrator(connection, migrations.slice(0, upTo + 1), sqliteColumnTypes, clock);
  await all.up();
  expect(await rows()).toEqual([null, 5, 7, null].map((triaged_at, at) => ({ ...old[at], triaged_at })));
  await all.down();
  expect(await rows()).toEqual(old);
  await connection.close();
});

function optionsInMemory() {
  return { file: ':memory:', durability: 'normal' as const };
}
