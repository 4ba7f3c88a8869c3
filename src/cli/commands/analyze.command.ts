import { type Command, Option } from 'commander';
import type { AddCommand } from '../program.ts';

export interface AnalyzeFlags {
  format?: 'text' | 'json' | 'markdown' | 'sarif' | 'junit';
  failOn: 'critical' | 'warning' | 'info' | 'never';
  minSeverity: 'critical' | 'warning' | 'info' | 'observation';
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
      new Option('--fail-on <severity>', 'exit with 1 for findings at or above it')
        .choices(['critical', 'warning', 'info', 'never'])
        .default('warning'),
    )
    .addOption(
      new Option('--min-severity <severity>', 'leave weaker findings out')
        .choices(['critical', 'warning', 'info', 'observation'])
        .default('info'),
    )
    .action(async (inputs: string[], flags: AnalyzeFlags, command: Command) => {
      await start(command, async (context) => {
        const { runAnalyze } = await import('../analyze/run-analyze.ts');
        return runAnalyze(context, inputs, flags);
      });
    });
};
