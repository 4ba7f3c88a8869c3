import { Argument, type Command, Option } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { FeedbackListFlags } from '../browse/feedback.ts';
import { addPageFlags } from '../browse/page-flags.ts';
import { addRecommend, typeOption } from './recommend.command.ts';

const TYPES = ['true_positive', 'false_positive', 'true_negative', 'false_negative'] as const;
type FeedbackType = (typeof TYPES)[number];

const load = () => import('../browse/feedback.ts');

export const addFeedback: AddCommand = (program, start) => {
  const feedback = program
    .command('feedback')
    .description('Record which detections were right, and derive recommendations.');
  feedback
    .command('add')
    .description('Record whether a detection was right; the newest feedback counts.')
    .argument('<detection-id>')
    .addArgument(new Argument('<type>', 'what it was').choices(TYPES))
    .option('--comment <text>', 'why')
    .action(async (detectionId: string, type: FeedbackType, flags: { comment?: string }, command: Command) => {
      const entry = { detectionId, type, ...flags };
      await start(command, async (context) => void (await (await load()).addFeedback(context, entry)));
    });
  feedback
    .command('withdraw')
    .description('Delete feedback; the newest remaining feedback on the detection counts again.')
    .argument('<feedback-id>')
    .action(async (feedbackId: string, _flags: object, command: Command) => {
      await start(command, async (context) => void (await (await load()).withdrawFeedback(context, feedbackId)));
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
  addRecommend(feedback, start);
};
