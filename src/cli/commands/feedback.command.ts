import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { DETECTION_TYPES, type DetectionType } from '../../core/detection.ts';
import { addPageFlags, type PageFlags } from '../browse/page-flags.ts';
import type { AddCommand } from '../program.ts';

const TYPES = ['true_positive', 'false_positive', 'true_negative', 'false_negative'] as const;
type FeedbackType = (typeof TYPES)[number];

export interface FeedbackListFlags extends PageFlags {
  type?: DetectionType;
  said?: FeedbackType;
  detection?: string;
}

export interface RecommendFlags {
  type?: DetectionType;
  precision?: number;
}

export interface FeedbackWord {
  detectionId: string;
  type: FeedbackType;
  comment?: string;
}

const load = () => import('../browse/feedback.ts');
const typeOption = () => new Option('--type <type>', 'only this kind of failure').choices(DETECTION_TYPES);

export const addFeedback: AddCommand = (program, start) => {
  const feedback = program.command('feedback').description('Say which detections were right, and learn from it.');
  feedback
    .command('add')
    .description('Say whether a detection was right; the newest word on it counts.')
    .argument('<detection-id>')
    .addArgument(new Argument('<type>', 'what it was').choices(TYPES))
    .option('--comment <text>', 'why')
    .action(async (detectionId: string, type: FeedbackType, flags: { comment?: string }, command: Command) => {
      const word = { detectionId, type, ...flags };
      await start(command, async (context) => void (await (await load()).addFeedback(context, word)));
    });
  addPageFlags(feedback.command('list').description('List feedback and validations, newest first.'))
    .addOption(typeOption())
    .addOption(new Option('--said <type>', 'only these').choices(TYPES))
    .option('--detection <detection-id>', 'only on this detection')
    .action(async (flags: FeedbackListFlags, command: Command) => {
      await start(command, async (context) => void (await (await load()).listFeedback(context, flags)));
    });
  feedback
    .command('stats')
    .description('Show precision, recall and F1 by kind of failure, from your feedback.')
    .action(async (_flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).showFeedbackStats(context)));
    });
  feedback
    .command('recommend')
    .description('Show thresholds that would have served better on your feedback; changes nothing.')
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
