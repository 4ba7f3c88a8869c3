import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFileOf } from '../../app/config.ts';
import { addonPath } from '../../app/runtime-assets.ts';
import { AppError } from '../../core/app-error.ts';
import { toRfc3339 } from '../../core/clock.ts';
import { checkDataFolder } from '../../store/data-folder/check-data-folder.ts';
import { MARKER_FILE } from '../../store/data-folder/entries.ts';
import { FolderLock } from '../../store/data-folder/folder-lock.ts';
import { copyBeforeMigrating } from '../../store/data-folder/migration-copies.ts';
import type { SqliteOptions } from '../../store/dialect.ts';
import type { MigrationStatus } from '../../store/migrator.ts';
import { initializeStoreId, openUnmigrated, type UnmigratedStore } from '../../store/open-store.ts';
import type { CommandContext } from '../context.ts';
import { correctionLine } from '../views/correction-line.ts';
import { type Column, table } from '../views/table.ts';

export async function migrateUp(context: CommandContext, isDryRun: boolean): Promise<void> {
  await change(context, isDryRun, 'up', 'Already up to date.');
}

export async function migrateDown(context: CommandContext, isDryRun: boolean): Promise<void> {
  await change(context, isDryRun, 'down', 'There is nothing to revert.');
}

export async function showMigrations(context: CommandContext): Promise<void> {
  const { print, style, options } = context;
  const rows = await withMigrator(context, true, ({ store }) => store.migrator.status());
  if (options.isJson) print.json(rows.map(({ name, appliedAt }) => ({ name, applied_at: appliedAtText(appliedAt) })));
  else print.data(table(rows, COLUMNS, style));
}

async function change(
  context: CommandContext,
  isDryRun: boolean,
  direction: 'up' | 'down',
  nothing: string,
): Promise<void> {
  const { print, options, io } = context;
  const done = await withMigrator(context, isDryRun, async ({ store, database }) => {
    const { migrator } = store;
    const planned = await migrator[direction](true);
    if (isDryRun || planned.length === 0) return planned;
    const isFresh = direction === 'up' && (await migrator.status()).every(({ appliedAt }) => appliedAt === null);
    const copy = isFresh ? null : await copyBeforeMigrating(database, io.clock);
    if (copy !== null) print.note(`Copied the database to ${copy}`);
    const names = await migrator[direction]();
    if (direction === 'up') await initializeStoreId(store, database.file, io.clock);
    return names;
  });
  if (options.isJson) return print.json({ direction, dry_run: isDryRun, migrations: done });
  if (done.length === 0) return print.note(nothing);
  const verb = `${isDryRun ? 'would be ' : ''}${direction === 'up' ? 'applied' : 'reverted'}`;
  for (const name of done) print.data(`${name} ${verb}\n`);
}

/** Locks the data folder for a change, so that no server runs meanwhile. Read-only commands create no database. */
async function withMigrator<Result>(
  { options, io, print }: CommandContext,
  isReading: boolean,
  work: (open: { store: UnmigratedStore; database: SqliteOptions }) => Promise<Result>,
): Promise<Result> {
  const { dataFolder, server } = options;
  if (server !== null) throw new AppError('usage', 'migrate works on the local database only; omit --server.');
  if (!isReading || exists(dataFolder))
    for (const correction of checkDataFolder(dataFolder)) print.warn(correctionLine(correction));
  const file = isReading && isWithoutStore(dataFolder) ? ':memory:' : databaseFileOf(dataFolder);
  const database: SqliteOptions = { file, durability: 'full', addonPath: addonPath() };
  const hold = isReading ? null : FolderLock.acquire(dataFolder, io.clock.now(), database.addonPath);
  try {
    const store = await openUnmigrated(database, io.clock);
    try {
      return await work({ store, database });
    } finally {
      await store.close();
    }
  } finally {
    hold?.release();
  }
}

/** True also for a dangling link and an unreadable path, so that the folder check reports the problem. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function isWithoutStore(dataFolder: string): boolean {
  return !existsSync(databaseFileOf(dataFolder)) && !existsSync(join(dataFolder, MARKER_FILE));
}

const COLUMNS: Column<MigrationStatus>[] = [
  { title: 'migration', text: ({ name }) => name },
  { title: 'applied', text: ({ appliedAt }) => appliedAtText(appliedAt) ?? 'pending' },
];

function appliedAtText(appliedAt: number | null): string | null {
  return appliedAt === null ? null : toRfc3339(appliedAt);
}
