import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { GroupFlags, WorkflowListFlags } from '../browse/groups.ts';
import { addPageFlags, type PageFlags } from '../browse/page-flags.ts';

const load = () => import('../browse/groups.ts');

export const addGroups: AddCommand = (program, start) => {
  const groups = program.command('groups').description('Group workflows, manually or by rules.');
  addPageFlags(groups.command('list').description('List groups, newest first.')).action(
    async (flags: PageFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listGroups(context, flags)));
    },
  );
  groups
    .command('show')
    .description('Show one group.')
    .argument('<group-id>')
    .action(async (groupId: string, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showGroup(context, groupId)));
    });
  groups
    .command('create')
    .description('Create a group and print its id.')
    .argument('<name>')
    .option('--description <text>', 'description')
    .option('--color <#rrggbb>', 'its colour')
    .option('--rules <json>', 'e.g. {"conditions":[{"field":"name","operator":"matches","value":"^refund"}]}')
    .action(async (name: string, flags: GroupFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).createGroup(context, name, flags)));
    });
  groups
    .command('assign')
    .description('Assign workflows to a group manually.')
    .argument('<group-id>')
    .argument('<workflow-id...>')
    .action(async (groupId: string, workflowIds: string[], _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).assign(context, groupId, workflowIds)));
    });
  groups
    .command('auto-detect')
    .description("Assign the workflows that match a group's rules.")
    .argument('<group-id>')
    .action(async (groupId: string, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).autoDetect(context, groupId)));
    });
  groups
    .command('delete')
    .description('Delete a group; its workflows are kept without a group.')
    .argument('<group-id>')
    .action(async (groupId: string, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).deleteGroup(context, groupId)));
    });
  addPageFlags(groups.command('workflows').description('List workflows, most recently seen first.'))
    .option('--group <group-id>', 'only those in this group')
    .option('--source <framework>', 'only those of this framework')
    .option('--search <text>', 'text in the name or the service, case-insensitive')
    .action(async (flags: WorkflowListFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listWorkflows(context, flags)));
    });
};
