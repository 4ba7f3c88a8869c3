import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';

export const addOverview: AddCommand = (program, start) => {
  program
    .command('overview')
    .description('Show what needs attention: failed runs, open issues, fixes that wait for approval, failed imports.')
    .option('--since <date>', 'last visit, RFC 3339 (default: a day ago)')
    .action(async ({ since }: { since?: string }, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/overview.ts')).showOverview(context, since)),
      );
    });
};
