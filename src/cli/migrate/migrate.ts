import { databaseFileOf } from '../../app/config.ts';
import { addonPath } from '../../app/runtime-assets.ts';
import { AppError } from '../../core/app-error.ts';
import { toRfc3339 } from '../../core/clock.ts';
import type { SqliteOptions } from '../../store/dialect.ts';
import type { MigrationStatus, Migrator } from '../../store/migrator.ts';
import { backUpBeforeMigrating, openUnmigrated } from '../../store/open-store.ts';
import type { CommandContext } from '../context.ts';
import { type Column, table } from '../views/table.ts';

export async function migrateUp(context: CommandContext, isDryRun: boolean): Promise<void> {
  await change(context, isDryRun, 'up', 'Already up to date.');
}

export async function migrateDown(context: CommandContext, isDryRun: boolean): Promise<void> {
  await change(context, isDryRun, 'down', 'There is nothing to take back.');
}

export async function showMigrations(context: CommandContext): Promise<void> {
  const { print, style, options } = context;
  const rows = await withMigrator(context, ({ migrator }) => migrator.status());
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
  const done = await withMigrator(context, async ({ migrator, database }) => {
    const planned = await migrator[direction](true);
    if (isDryRun || planned.length === 0) return planned;
    const isFresh = direction === 'up' && (await migrator.status()).every(({ appliedAt }) => appliedAt === null);
    const copy = isFresh ? null : await backUpBeforeMigrating(database, io.clock);
    if (copy !== null) print.note(`Copied the database to ${copy}`);
    return migrator[direction]();
  });
  if (options.isJson) return print.json({ direction, dry_run: isDryRun, migrations: done });
  if (done.length === 0) return print.note(nothing);
  const verb = `${isDryRun ? 'would be ' : ''}${direction === 'up' ? 'applied' : 'taken back'}`;
  for (const name of done) print.data(`${name} ${verb}\n`);
}

async function withMigrator<Result>(
  { options, io }: CommandContext,
  work: (open: { migrator: Migrator; database: SqliteOptions }) => Promise<Result>,
): Promise<Result> {
  if (options.server !== null)
    throw new AppError('usage', 'migrate works on the local database only; leave --server out.');
  const database: SqliteOptions = {
    file: databaseFileOf(options.dataFolder),
    durability: 'full',
    addonPath: addonPath(),
  };
  const { migrator, close } = openUnmigrated(database, io.clock);
  try {
    return await work({ migrator, database });
  } finally {
    await close();
  }
}

const COLUMNS: Column<MigrationStatus>[] = [
  { title: 'migration', text: ({ name }) => name },
  { title: 'applied', text: ({ appliedAt }) => appliedAtText(appliedAt) ?? 'pending' },
];

function appliedAtText(appliedAt: number | null): string | null {
  return appliedAt === null ? null : toRfc3339(appliedAt);
}
