import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';

export const addLink: AddCommand = (program, start) => {
  program
    .command('link')
    .description(
      'Print a one-time link that signs in to the dashboard; it can be used for 10 minutes. Against a server it has the scopes of the API key.',
    )
    .option('--operator', 'sign in as the operator, who can read every tenant and create tenants')
    .action(async (flags: { operator?: boolean }, command: Command) => {
      await start(command, async (context) => (await import('../identity/link.ts')).printLink(context, flags));
    });
};
