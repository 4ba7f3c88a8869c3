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
    .argument('<detection-id|fix-id>', 'of a detection its likeliest fix')
    .option('--file <path>', 'change this file of a folder that is open to healing')
    .option('--setting <name>', 'change your own thresholds or detector_overrides')
    .option('--executor <name>', 'what else carries it out; without any of these it is done by hand')
    .option('--target <json>', 'what that executor is to change')
    .option('--pointer <pointer>', 'the part that the change is about, such as /agents/0/prompt')
    .option('--patch <json>', 'a JSON Patch in place of what the fix says')
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
    ['approve', 'Let an operation be executed.'],
    ['reject', 'End an operation that was not executed.'],
  ] as const) {
    heal
      .command(name)
      .description(description)
      .argument('<operation-id>')
      .option('--note <text>', 'kept with the operation')
      .action(async (id: string, flags: NoteFlags, command: Command) => {
        await start(command, async (context) => (await loadChanges()).decide(context, name, id, flags));
      });
  }
  for (const [name, description] of [
    ['execute', 'Make the change, and check that it took.'],
    ['rollback', 'Put back exactly what stood there before.'],
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
    .option('--note <text>', 'kept with the operation')
    .action(async (id: string, outcome: Resolution, flags: NoteFlags, command: Command) => {
      await start(command, async (context) => (await loadChanges()).resolveHealing(context, id, outcome, flags));
    });
  heal
    .command('policy')
    .description('Show or set which fixes are executed without approval.')
    .addOption(new Option('--manual', 'a person approves every operation').conflicts('auto'))
    .option('--auto', 'what is allowed below goes ahead by itself')
    .option('--allow <fix-type=risk...>', 'a kind of fix up to a risk, such as loop_guard=low')
    .option('--forbid <fix-type...>', 'kinds of fixes that wait for a person again')
    .option('--max-per-day <number>', 'operations a day that may go ahead by themselves', Number)
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
