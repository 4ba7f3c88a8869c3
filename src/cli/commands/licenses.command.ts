import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';

export const addLicenses: AddCommand = (program, start) => {
  program
    .command('licenses')
    .description('Print the licences of Misstep and of the third-party software in it.')
    .action(async (_flags: object, command: Command) => {
      await start(
        command,
        async (context) => void (await import('../licenses/print-licenses.ts')).printLicenses(context),
      );
    });
};
