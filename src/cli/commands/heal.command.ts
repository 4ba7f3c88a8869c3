import { type Command, InvalidArgumentError, Option } from 'commander';
import { HEALING_STATUSES, RESOLUTIONS, type Resolution } from '../../features/healing/healing-state.ts';
import type { AddCommand } from '../add-command.ts';
import { addPageFlags, type PageFlags } from '../browse/page-flags.ts';
import type { HealPlanFlags, NoteFlags } from '../heal/change.ts';
import type { HealListFlags } from '../heal/operations.ts';
import type { HealPolicyFlags } from '../heal/policy.ts';

const load = () => import('../heal/operations.ts');
const loadChanges = () => import('../heal/change.ts');

export const addHeal: AddCommand = (program, start) => {
  const heal = program.command('heal').description('Apply and roll back fixes.');
  heal
    .command('plan')
    .description('Plan a fix of a detection, or a custom change for it; applies nothing.')
    .argument('<detection-id|fix-id>', 'id of a fix, or of a detection for its likeliest fix')
    .option('--file <path>', 'change this file in a folder of serve --healing-root')
    .option('--setting <name>', 'change your own thresholds or detector_overrides')
    .option('--executor <name>', 'executor that applies the change; without --file, --setting and --executor: manual')
    .option('--target <json>', 'what the executor changes')
    .option('--pointer <pointer>', 'JSON Pointer of the part to change, such as /agents/0/prompt')
    .option('--patch <json>', 'JSON Patch to apply instead of the fix')
    .action(async (id: string, flags: HealPlanFlags, command: Command) => {
      await start(command, async (context) => (await loadChanges()).planHealing(context, id, flags));
    });
  addPageFlags(heal.command('list').description('List operations, newest first.'))
    .addOption(new Option('--status <status>', 'only these').choices(HEALING_STATUSES))
    .option('--type <fix-type>', 'only this kind of fix')
    .option('--detection <detection-id>', 'only for this detection')
    .action(async (flags: HealListFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listHealing(context, flags)));
    });
  heal
    .command('show')
    .description('Show one operation with its change.')
    .argument('<operation-id>')
    .action(async (id: string, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showHealing(context, id)));
    });
  addPageFlags(heal.command('history').description('List applied operations, newest first.')).action(
    async (flags: PageFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listHistory(context, flags)));
    },
  );
  for (const [name, description] of [
    ['approve', 'Approve an operation for execution.'],
    ['reject', 'Reject an operation that was not executed.'],
  ] as const) {
    heal
      .command(name)
      .description(description)
      .argument('<operation-id>')
      .option('--note <text>', 'note to store with the operation')
      .action(async (id: string, flags: NoteFlags, command: Command) => {
        await start(command, async (context) => (await loadChanges()).decide(context, name, id, flags));
      });
  }
  for (const [name, description] of [
    ['execute', 'Apply the change and verify it.'],
    ['rollback', 'Restore exactly the previous content.'],
    ['check', 'Read the current content of the target.'],
  ] as const) {
    heal
      .command(name)
      .description(description)
      .argument('<operation-id>')
      .action(async (id: string, _flags: object, command: Command) => {
        await start(command, async (context) => (await loadChanges()).act(context, name, id));
      });
  }
  heal
    .command('resolve')
    .description('Record the outcome of a manual operation, or of one whose outcome is unknown.')
    .argument('<operation-id>')
    .argument('<outcome>', `${RESOLUTIONS.join(', ')}`, toResolution)
    .option('--note <text>', 'note to store with the operation')
    .action(async (id: string, outcome: Resolution, flags: NoteFlags, command: Command) => {
      await start(command, async (context) => (await loadChanges()).resolveHealing(context, id, outcome, flags));
    });
  heal
    .command('policy')
    .description('Show or set which fixes are executed without approval.')
    .addOption(new Option('--manual', 'a person approves every operation').conflicts('auto'))
    .option('--auto', 'fixes that --allow permits are executed without approval')
    .option('--allow <fix-type=risk...>', 'a kind of fix up to a risk, such as loop_guard=low')
    .option('--forbid <fix-type...>', 'kinds of fixes that require approval again')
    .option('--max-per-day <number>', 'maximum operations per day without approval', Number)
    .action(async (flags: HealPolicyFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../heal/policy.ts')).healPolicy(context, flags)),
      );
    });
};

function toResolution(text: string): Resolution {
  const found = RESOLUTIONS.find((resolution) => resolution === text);
  if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${RESOLUTIONS.join(', ')}.`);
  return found;
}
