import { type Command, Option } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { AlertListFlags } from '../browse/alerts.ts';
import { addPageFlags } from '../browse/page-flags.ts';

const load = () => import('../browse/alerts.ts');

export const addAlerts: AddCommand = (program, start) => {
  const alerts = program.command('alerts').description('Show sent alerts, and test channels.');
  addPageFlags(alerts.command('list').description('List alerts, newest first.'))
    .addOption(new Option('--state <state>', 'only these').choices(['held', 'sent', 'dropped']))
    .option('--issue <issue-id>', 'only about this issue')
    .action(async (flags: AlertListFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listAlerts(context, flags)));
    });
  alerts
    .command('preferences')
    .description('Show notification preferences.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showPreferences(context)));
    });
  alerts
    .command('test')
    .description('Send a test message on every enabled channel.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => (await load()).testAlerts(context));
    });
};
