import { type Command, InvalidArgumentError, Option } from 'commander';
import { TRACE_ORDERS } from '../../core/trace-order.ts';
import type { AddCommand } from '../add-command.ts';
import type { TraceDeleteFlags } from '../browse/delete-traces.ts';
import { addPageFlags, toLimit } from '../browse/page-flags.ts';
import type { TraceFacetFlags } from '../browse/trace-facets.ts';
import { addTraceFilterFlags } from '../browse/trace-filter-flags.ts';
import type { TraceFindFlags } from '../browse/trace-find.ts';
import type { TraceListFlags, TraceReanalyzeFlags } from '../browse/traces.ts';

export const addTraces: AddCommand = (program, start) => {
  const traces = program.command('traces').description('Work with stored traces.');
  addTraceFilterFlags(
    addPageFlags(traces.command('list').description('List traces, newest first or in another order.')),
  )
    .addOption(new Option('--sort <order>', 'highest first; started_at: newest first').choices(TRACE_ORDERS))
    .action(async (flags: TraceListFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/traces.ts')).listTraces(context, flags)),
      );
    });
  addTraceFilterFlags(
    traces
      .command('facets')
      .description('Count traces by status, framework, agent, model, severity, grade and workflow.'),
  )
    .option('--top <number>', 'values of each', toTop, 8)
    .action(async (flags: TraceFacetFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/trace-facets.ts')).showFacets(context, flags)),
      );
    });
  traces
    .command('show')
    .description('Show the steps and detections of one trace.')
    .argument('<trace-id>')
    .action(async (traceId: string, _flags: object, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/traces.ts')).showTrace(context, traceId)),
      );
    });
  traces
    .command('graph')
    .description('Show which agents and tools of a trace called or followed each other, and how often.')
    .argument('<trace-id>')
    .action(async (traceId: string, _flags: object, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/trace-graph.ts')).showGraph(context, traceId)),
      );
    });
  traces
    .command('find')
    .description('Find a text in the steps of a trace, case-insensitively.')
    .argument('<trace-id>')
    .argument('<text>')
    .option('--limit <number>', 'matches to show', toLimit, 50)
    .option('--from-step <number>', 'continue at this step, where the previous search ended', toStep, 0)
    .action(async (traceId: string, text: string, flags: TraceFindFlags, command: Command) => {
      await start(
        command,
        async (context) =>
          void (await (await import('../browse/trace-find.ts')).findInTrace(context, traceId, text, flags)),
      );
    });
  traces
    .command('reanalyze')
    .description('Analyze stored traces again: the given ones, or all whose analysis failed.')
    .argument('[trace-id...]')
    .option('--given-up', 'all whose analysis failed permanently')
    .action(async (traceIds: string[], flags: TraceReanalyzeFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/traces.ts')).reanalyzeTraces(context, traceIds, flags)),
      );
    });
  traces
    .command('delete')
    .description('Permanently delete traces with all derived data: the given ones, or all that match.')
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

function toTop(text: string): number {
  const top = Number(text);
  if (Number.isInteger(top) && top >= 1 && top <= 100) return top;
  throw new InvalidArgumentError('Give a number from 1 to 100.');
}

function toStep(text: string): number {
  const step = Number(text);
  if (text.trim() !== '' && Number.isInteger(step) && step >= 0) return step;
  throw new InvalidArgumentError('Give the number of a step, from 0.');
}
