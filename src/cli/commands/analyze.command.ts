import { type Command, Option } from 'commander';
import { SEVERITIES, type Severity } from '../../core/severity.ts';
import type { AddCommand } from '../program.ts';
import { FAIL_ON, type FailOn } from '../views/trace-findings.ts';

export interface AnalyzeFlags {
  format?: 'text' | 'json' | 'markdown' | 'sarif' | 'junit';
  failOn?: FailOn;
  minSeverity?: Severity;
  json?: boolean;
}

export const addAnalyze: AddCommand = (program, start) => {
  program
    .command('analyze')
    .summary('find what went wrong in traces')
    .description(
      'Finds what went wrong in the traces of files, of standard input, or of the store. Files need no server, no database and no network.',
    )
    .argument('[inputs...]', 'files, - for standard input, or ids of stored traces')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json', 'markdown', 'sarif', 'junit']))
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit with 1 for findings at or above it (MISSTEP_FAIL_ON, default warning)',
      ).choices(FAIL_ON),
    )
    .addOption(
      new Option('--min-severity <severity>', 'leave weaker findings out (MISSTEP_MIN_SEVERITY, default info)').choices(
        SEVERITIES,
      ),
    )
    .action(async (inputs: string[], flags: AnalyzeFlags, command: Command) => {
      await start(command, async (context) => {
        const { runAnalyze } = await import('../analyze/run-analyze.ts');
        return runAnalyze(context, inputs, flags);
      });
    });
};
