import { Argument, type Command, Option } from 'commander';
import { GROUPINGS, METRICS, type Metric, STEPS } from '../../features/analytics/series.record.ts';
import type { AddCommand } from '../add-command.ts';
import type { AnalyticsFlags, SeriesFlags } from '../browse/analytics.ts';
import { toDays } from '../browse/day-flag.ts';

const load = () => import('../browse/analytics.ts');

export const addAnalytics: AddCommand = (program, start) => {
  const analytics = program.command('analytics').description('Show loops, cost and quality of the last days.');
  const add = (name: string, description: string) =>
    analytics.command(name).description(description).option('--days <number>', 'UTC days up to today', toDays, 30);
  add('loops', 'Show loops by day, kind and agent.').action(async (flags: AnalyticsFlags, command: Command) => {
    await start(command, async (context) => void (await (await load()).showLoops(context, flags)));
  });
  add('cost', 'Show cost and tokens by day, framework and model.').action(
    async (flags: AnalyticsFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).showCost(context, flags)));
    },
  );
  add('quality', 'Show scores and grades of traces, and the most frequent detections.').action(
    async (flags: AnalyticsFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).showQuality(context, flags)));
    },
  );
  add('series', 'Show one figure over time, as a whole or by group.')
    .addArgument(new Argument('<metric>').choices(METRICS))
    .addOption(new Option('--by <grouping>', 'group runs by this property').choices(GROUPINGS).default('none'))
    .addOption(new Option('--step <step>', 'hour for at most 14 days').choices(STEPS).default('day'))
    .action(async (metric: Metric, flags: SeriesFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).showSeries(context, metric, flags)));
    });
  analytics
    .command('rebuild')
    .description('Rebuild all figures, including traces from before figures were stored.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).rebuildFigures(context)));
    });
};
