import { type Command, InvalidArgumentError, Option } from 'commander';
import { DETECTION_TYPES } from '../../core/detection.ts';
import { SEVERITIES } from '../../core/severity.ts';
import type { AddCommand } from '../add-command.ts';
import type { IgnoreFlags, IssueListFlags } from '../browse/issues.ts';
import { addPageFlags } from '../browse/page-flags.ts';

const load = () => import('../browse/issues.ts');
const ISSUE_IDS = 'at most 200';

export const addIssues: AddCommand = (program, start) => {
  const issues = program
    .command('issues')
    .description('Work with issues: failures that recur across runs.')
    .addHelpText(
      'after',
      `
Examples:
  $ misstep issues list --status open --severity critical
  $ misstep issues list --type loop --subtype exact_repetition --service release-bot
  $ misstep issues resolve iss_1 iss_2
  $ misstep issues ignore iss_3 --runs 1        # until it recurs
  $ misstep issues snooze iss_4 --until 2030-01-31`,
    );
  addPageFlags(issues.command('list').description('List issues: regressed ones first, then by impact.'))
    .addOption(new Option('--status <status>', 'only these').choices(['open', 'resolved', 'ignored', 'snoozed']))
    .addOption(new Option('--type <type>', 'only this kind of failure').choices(DETECTION_TYPES))
    .option('--subtype <subtype>', 'only of this subtype, for example exact_repetition')
    .addOption(new Option('--severity <severity>', 'only these').choices(SEVERITIES))
    .option('--agent <agent>', 'only of this agent')
    .option('--service <service>', 'only of runs of this service')
    .option('--workflow <id>', 'only of runs of the workflow with this id')
    .option('--regressed', 'only issues that recurred after they were resolved')
    .option('--new', 'only issues of the last 24 hours on which nobody has acted')
    .option('--search <text>', 'words of the title, the failure, an agent, service, workflow or the id')
    .addOption(
      new Option('--sort <order>', 'the highest or newest first; runs and cost are those of the last 14 days')
        .choices(['impact', 'last_seen', 'first_seen', 'runs', 'cost'])
        .default('impact'),
    )
    .action(async (flags: IssueListFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listIssues(context, flags)));
    });
  issues
    .command('show')
    .description('Show one issue.')
    .argument('<issue-id>')
    .action(async (issueId: string, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showIssue(context, issueId)));
    });
  issues
    .command('resolve')
    .description('Resolve issues. An issue that recurs is reopened as regressed.')
    .argument('<issue-ids...>', ISSUE_IDS)
    .action(async (issueIds: string[], _flags: object, command: Command) => {
      await start(command, async (context) => (await load()).changeIssues(context, issueIds, { action: 'resolve' }));
    });
  issues
    .command('ignore')
    .description('Ignore issues: no alerts are sent about them. Without a flag, until they are reopened.')
    .argument('<issue-ids...>', ISSUE_IDS)
    .option('--until <date>', 'until this time, RFC 3339')
    .option('--runs <number>', 'until they recur in this many further runs; 1: until they recur', toRuns)
    .action(async (issueIds: string[], flags: IgnoreFlags, command: Command) => {
      const change = { action: 'ignore', ...flags } as const;
      await start(command, async (context) => (await load()).changeIssues(context, issueIds, change));
    });
  issues
    .command('snooze')
    .description('Ignore issues until a time.')
    .argument('<issue-ids...>', ISSUE_IDS)
    .option('--until <date>', 'RFC 3339 (default: for 24 hours)')
    .action(async (issueIds: string[], flags: Pick<IgnoreFlags, 'until'>, command: Command) => {
      const change = { action: 'snooze', ...flags } as const;
      await start(command, async (context) => (await load()).changeIssues(context, issueIds, change));
    });
  issues
    .command('reopen')
    .description('Open issues that are resolved or ignored.')
    .argument('<issue-ids...>', ISSUE_IDS)
    .action(async (issueIds: string[], _flags: object, command: Command) => {
      await start(command, async (context) => (await load()).changeIssues(context, issueIds, { action: 'reopen' }));
    });
};

function toRuns(text: string): number {
  const runs = Number(text);
  if (Number.isInteger(runs) && runs >= 1 && runs <= 1_000_000) return runs;
  throw new InvalidArgumentError('Give a number from 1 to 1000000.');
}
