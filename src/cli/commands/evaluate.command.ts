import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { EvaluateFlags } from '../evaluate/run-evaluate.ts';

export const addEvaluate: AddCommand = (program, start) => {
  program
    .command('evaluate')
    .summary('Measure the accuracy of the detectors on your labelled data.')
    .description(
      'Analyzes records or traces that you labelled and measures how often the detectors are right. Labels are read after the analysis. Needs no server, no database and no network.',
    )
    .argument(
      '<files...>',
      'records with labels, one per line (.jsonl, .jsonl.gz); with --labels, traces of any format',
    )
    .option('--labels <file>', 'labels by trace_id, as CSV or JSON lines')
    .action(async (files: string[], flags: EvaluateFlags, command: Command) => {
      await start(command, async (context) =>
        (await import('../evaluate/run-evaluate.ts')).runEvaluate(context, files, flags),
      );
    });
};
