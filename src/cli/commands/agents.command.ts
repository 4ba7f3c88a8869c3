import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';

export const addAgents: AddCommand = (program, start) => {
  program
    .command('agents')
    .description('Look at the agents seen in traces.')
    .command('list')
    .description('List agents with their figures.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await import('../browse/agents.ts')).listAgents(context)));
    });
};
