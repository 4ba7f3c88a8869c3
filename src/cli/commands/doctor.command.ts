import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { GlobalFlags } from '../global-options.ts';

export const addDoctor: AddCommand = (program, start) => {
  program
    .command('doctor')
    .description(
      'Check the settings, the data folder and the database of this machine, and print what to do about each problem.',
    )
    .option(
      '--fix',
      'convert a database of an older version so that deletions return disk space; no server may be running',
    )
    .action(async (flags: { fix?: boolean }, command: Command) => {
      await start(command, async (context) =>
        (await import('../doctor/run-doctor.ts')).runDoctor(
          context,
          command.optsWithGlobals<GlobalFlags>(),
          flags.fix ?? false,
        ),
      );
    });
};
