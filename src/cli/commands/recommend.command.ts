import { type Command, InvalidArgumentError, Option } from 'commander';
import { DETECTION_TYPES } from '../../core/detection.ts';
import type { AddCommand } from '../add-command.ts';
import type { RecommendFlags } from '../browse/feedback.ts';

const load = () => import('../browse/feedback.ts');

/** Recommendations are derived from feedback and suggest thresholds, so both commands list them. */
export const addRecommend: AddCommand = (parent, start) => {
  parent
    .command('recommend')
    .description('Recommend thresholds based on your feedback; read-only.')
    .addOption(typeOption())
    .option('--precision <share>', 'the lowest threshold with this precision, instead of the greatest F1', toShare)
    .action(async (flags: RecommendFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).recommendThresholds(context, flags)));
    });
};

function toShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0.5 && share <= 1) return share;
  throw new InvalidArgumentError('Give a number from 0.5 to 1.');
}

/** The option that selects one type of failure. */
export const typeOption = () => new Option('--type <type>', 'only this kind of failure').choices(DETECTION_TYPES);
