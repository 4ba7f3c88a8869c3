import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { FrameworkFlags } from '../settings/thresholds.ts';
import { addRecommend } from './recommend.command.ts';

const load = () => import('../settings/thresholds.ts');
const FRAMEWORK = ['--framework <name>', 'for traces of this framework, as `traces list` names it'] as const;

export const addThresholds: AddCommand = (program, start) => {
  const thresholds = program.command('thresholds').description('Show and change thresholds of detectors.');
  thresholds
    .command('show')
    .description('Show effective thresholds and their sources.')
    .option(...FRAMEWORK)
    .action(async (flags: FrameworkFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).showThresholds(context, flags)));
    });
  thresholds
    .command('set')
    .description('Set thresholds; `none` unsets one.')
    .argument('<field=value...>', 'e.g. loop_detection_window=10')
    .option(...FRAMEWORK)
    .action(async (fields: string[], flags: FrameworkFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).setThresholds(context, fields, flags)));
    });
  thresholds
    .command('reset')
    .description('Reset all thresholds to their defaults, or only those of one framework.')
    .option(...FRAMEWORK)
    .action(async (flags: FrameworkFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).resetThresholds(context, flags)));
    });
  thresholds
    .command('preview')
    .description('Preview the effect of thresholds on the traces of the last week; read-only.')
    .argument('<field=value...>', 'e.g. confidence_scaling=1.2')
    .option(...FRAMEWORK)
    .action(async (fields: string[], flags: FrameworkFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).previewThresholds(context, fields, flags)));
    });
  addRecommend(thresholds, start);
};
