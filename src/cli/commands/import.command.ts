import { type Command, Option } from 'commander';
import { FORMAT_NAMES } from '../../formats/detect/detect-format.ts';
import type { AddCommand } from '../add-command.ts';
import type { ImportFlags } from '../import/run-import.ts';

export const addImport: AddCommand = (program, start) => {
  program
    .command('import')
    .summary('Import trace files.')
    .description(
      'Imports files, or all files of folders, into the local store or a server. The same content is imported once; an interrupted import continues at its position.',
    )
    .argument('<file|folder...>', 'JSON, JSON lines, gzip; of folders .json, .jsonl, .ndjson and .gz')
    .option('--watch', 'keep running, and import files that are added later')
    .addOption(new Option('--format <format>', 'format of the files (default: detected)').choices(FORMAT_NAMES))
    .option('--alert', 'send alerts about detections, as for live traces')
    .action(async (paths: string[], flags: ImportFlags, command: Command) => {
      await start(command, async (context) =>
        (await import('../import/run-import.ts')).runImport(context, paths, flags),
      );
    });
};
