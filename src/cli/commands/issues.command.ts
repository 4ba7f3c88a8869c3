import { type Command, Option } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { IssueListFlags } from '../browse/issues.ts';
import { addPageFlags } from '../browse/page-flags.ts';

const load = () => import('../browse/issues.ts');

export const addIssues: AddCommand = (program, start) => {
  const issues = program.command('issues').description('Look at faults that recur across traces.');
  addPageFlags(issues.command('list').description('List issues, seen last first.'))
    .addOption(new Option('--status <status>', 'only these').choices(['open', 'resolved', 'ignored']))
    .action(async (flags: IssueListFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/issues.ts')).listIssues(context, flags)),
      );
    });
  issues
    .command('show')
    .description('Show one issue.')
    .argument('<issue-id>')
    .action(async (issueId: string, _flags: object, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/issues.ts')).showIssue(context, issueId)),
      );
    });
  issues
    .command('mute')
    .description('Stop alerts about an issue until it is unmuted.')
    .argument('<issue-id>')
    .action(async (issueId: string, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).muteIssue(context, issueId)));
    });
  issues
    .command('snooze')
    .description('Stop alerts about an issue for a while.')
    .argument('<issue-id>')
    .requiredOption('--until <date>', 'when alerts begin again, RFC 3339')
    .action(async (issueId: string, flags: { until: string }, command: Command) => {
      await start(command, async (context) => void (await (await load()).snoozeIssue(context, issueId, flags.until)));
    });
  issues
    .command('unmute')
    .description('End mute and snooze of an issue.')
    .argument('<issue-id>')
    .action(async (issueId: string, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).unmuteIssue(context, issueId)));
    });
};
