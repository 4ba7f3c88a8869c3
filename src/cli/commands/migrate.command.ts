import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';

const load = () => import('../migrate/migrate.ts');

export const addMigrate: AddCommand = (program, start) => {
  const migrate = program
    .command('migrate')
    .description(
      'Change the schema of the local database. Every command that opens it applies pending migrations first.',
    );
  migrate
    .command('up')
    .description('Apply pending migrations; an existing database is copied first.')
    .option('--dry-run', 'only show what would be done')
    .action(async (flags: { dryRun?: boolean }, command: Command) => {
      await start(command, async (context) => void (await (await load()).migrateUp(context, flags.dryRun ?? false)));
    });
  migrate
    .command('down')
    .description('Revert the newest migration; the database is copied first.')
    .option('--dry-run', 'only show what would be done')
    .action(async (flags: { dryRun?: boolean }, command: Command) => {
      await start(command, async (context) => void (await (await load()).migrateDown(context, flags.dryRun ?? false)));
    });
  migrate
    .command('status')
    .description('List migrations and when they were applied.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showMigrations(context)));
    });
};
