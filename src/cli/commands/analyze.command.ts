import { type Command, Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { SEVERITIES } from '../../core/severity.ts';
import type { AddCommand } from '../add-command.ts';
import type { AnalyzeFlags } from '../analyze/run-analyze.ts';
import type { CommandContext } from '../context.ts';
import { FAIL_ON } from '../views/trace-detections.ts';

export const addAnalyze: AddCommand = (program, start) => {
  program
    .command('analyze')
    .summary('Detect failures in traces.')
    .description(
      'Detects failures in traces from files, standard input or the store. Files need no server, no database and no network.',
    )
    .argument('[inputs...]', 'files, - for standard input, or ids of stored traces')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json', 'markdown', 'sarif', 'junit']))
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit with 1 for detections of at least this severity (MISSTEP_FAIL_ON, default warning)',
      ).choices(FAIL_ON),
    )
    .addOption(
      new Option(
        '--min-severity <severity>',
        'omit detections of lower severity (MISSTEP_MIN_SEVERITY, default info)',
      ).choices(SEVERITIES),
    )
    .option('--judge', 'call the configured model about uncertain detections (docs/judge.md); files only')
    .option('--preview', 'report subtypes in preview like the others (docs/detectors.md); files only')
    .option('--records <file>', 'judge evaluation records, one per line (.jsonl, .jsonl.gz); labels are never read')
    .option('--predictions <file>', 'with --records: file for the predictions, one per line (- for standard output)')
    .action(async (inputs: string[], flags: AnalyzeFlags, command: Command) => {
      await start(command, async (context) => {
        if (flags.records !== undefined || flags.predictions !== undefined) return predict(context, inputs, flags);
        const { runAnalyze } = await import('../analyze/run-analyze.ts');
        return runAnalyze(context, inputs, flags);
      });
    });
};

async function predict(context: CommandContext, inputs: readonly string[], flags: AnalyzeFlags): Promise<number> {
  const { records, predictions } = flags;
  if (records === undefined || predictions === undefined)
    throw new AppError('usage', '--records and --predictions must be used together.');
  if (inputs.length > 0) throw new AppError('usage', '--records cannot be combined with other inputs.');
  const { predictRecords } = await import('../analyze/predict-records.ts');
  return predictRecords(context, records, predictions);
}
