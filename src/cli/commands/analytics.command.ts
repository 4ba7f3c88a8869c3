import { type Command, InvalidArgumentError } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { AnalyticsFlags } from '../browse/analytics.ts';

const load = () => import('../browse/analytics.ts');

export const addAnalytics: AddCommand = (program, start) => {
  const analytics = program.command('analytics').description('See loops, cost and quality of the last days.');
  const add = (name: string, description: string) =>
    analytics.command(name).description(description).option('--days <number>', 'UTC days up to today', toDays, 30);
  add('loops', 'Show loops by day, by way of looping and by agent.').action(
    async (flags: AnalyticsFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).showLoops(context, flags)));
    },
  );
  add('cost', 'Show cost and tokens by day, framework and model.').action(
    async (flags: AnalyticsFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).showCost(context, flags)));
    },
  );
  add('quality', 'Show scores and grades of traces, and what is found most.').action(
    async (flags: AnalyticsFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).showQuality(context, flags)));
    },
  );
  analytics
    .command('rebuild')
    .description('Add traces from before figures were kept, and sum all figures anew.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).rebuildFigures(context)));
    });
};

function toDays(text: string): number {
  const days = Number(text);
  if (text.trim() !== '' && Number.isInteger(days) && days >= 1 && days <= 365) return days;
  throw new InvalidArgumentError('Give a number from 1 to 365.');
}
