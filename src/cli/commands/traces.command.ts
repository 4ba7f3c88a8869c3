import { type Command, Option } from 'commander';
import { SEVERITIES } from '../../core/severity.ts';
import { TRACE_ORDERS } from '../../core/trace-order.ts';
import type { AddCommand } from '../add-command.ts';
import type { TraceDeleteFlags } from '../browse/delete-traces.ts';
import { addPageFlags } from '../browse/page-flags.ts';
import type { TraceListFlags, TraceReanalyzeFlags } from '../browse/traces.ts';

export const addTraces: AddCommand = (program, start) => {
  const traces = program.command('traces').description('Look at stored traces.');
  addPageFlags(traces.command('list').description('List traces, newest first, or by failure rank.'))
    .addOption(new Option('--status <status>', 'only these').choices(['running', 'ok', 'error']))
    .option('--agent <agent>', 'only traces this agent took part in')
    .option('--framework <framework>', 'only of this framework')
    .addOption(new Option('--min-severity <severity>', 'only with a finding at least as severe').choices(SEVERITIES))
    .option('--text <text>', 'only where it stands in name or task, whatever its case')
    .option('--bookkeeping', "also traces that hold only a coding agent's own bookkeeping, without any run")
    .option('--from <date>', 'started at or after, RFC 3339')
    .option('--to <date>', 'started before, RFC 3339')
    .addOption(new Option('--sort <order>', 'failure_rank lists the most troubled runs first').choices(TRACE_ORDERS))
    .action(async (flags: TraceListFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/traces.ts')).listTraces(context, flags)),
      );
    });
  traces
    .command('show')
    .description('Show the steps of one trace and what is wrong with it.')
    .argument('<trace-id>')
    .action(async (traceId: string, _flags: object, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/traces.ts')).showTrace(context, traceId)),
      );
    });
  traces
    .command('reanalyze')
    .description('Analyse stored traces again: those named, or all whose analysis was given up.')
    .argument('[trace-id...]')
    .option('--given-up', 'all whose analysis was given up')
    .action(async (traceIds: string[], flags: TraceReanalyzeFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/traces.ts')).reanalyzeTraces(context, traceIds, flags)),
      );
    });
  traces
    .command('delete')
    .description('Delete traces for good, with all that was made of them: those named, or all that fit.')
    .argument('[trace-id...]')
    .addOption(new Option('--status <status>', 'only these').choices(['running', 'ok', 'error']))
    .option('--agent <agent>', 'only traces this agent took part in')
    .option('--framework <framework>', 'only of this framework')
    .option('--from <date>', 'started at or after, RFC 3339')
    .option('--to <date>', 'started before, RFC 3339')
    .option('-y, --yes', 'do not ask')
    .action(async (traceIds: string[], flags: TraceDeleteFlags, command: Command) => {
      await start(
        command,
        async (context) =>
          void (await (await import('../browse/delete-traces.ts')).deleteTraces(context, traceIds, flags)),
      );
    });
};
