import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { ExportFlags } from '../import/run-export.ts';

export const addExport: AddCommand = (program, start) => {
  program
    .command('export')
    .description('Export all traces, detections, feedback and settings as JSON lines that import can read.')
    .option('-o, --output <file>', 'write to this file instead of standard output')
    .option('--gzip', 'pack it')
    .action(async (flags: ExportFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../import/run-export.ts')).runExport(context, flags)),
      );
    });
};
