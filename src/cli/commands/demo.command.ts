import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';

export const addDemo: AddCommand = (program, start) => {
  program
    .command('demo')
    .description('Ingest example runs, one healthy and the others failing, and show their detections.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await import('../demo/show-demo.ts')).showDemo(context)));
    });
};
