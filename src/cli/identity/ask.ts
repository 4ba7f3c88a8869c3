import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../context.ts';

/**
 * The value given, else what a person answers. Questions go to stderr, so that stdout stays data.
 * @throws AppError `usage` where nobody can be asked
 */
export async function givenOrAsked(
  context: CommandContext,
  given: string | undefined,
  flag: string,
  question: string,
): Promise<string> {
  if (given !== undefined) return given;
  if (!context.options.isInteractive) throw new AppError('usage', `${flag} is needed.`);
  const { input } = await import('@inquirer/prompts');
  const answer = await input(
    { message: question, validate: (text) => text.trim() !== '' || 'Please give a text.' },
    promptStreams(context),
  );
  return answer.trim();
}

/** @throws AppError `usage` where nobody can be asked and `--yes` was not given */
export async function confirmed(
  context: CommandContext,
  isGiven: boolean | undefined,
  question: string,
): Promise<boolean> {
  if (isGiven) return true;
  if (!context.options.isInteractive) throw new AppError('usage', `${question} Confirm with --yes.`);
  const { confirm } = await import('@inquirer/prompts');
  return confirm({ message: question, default: false }, promptStreams(context));
}

function promptStreams({ io, signal }: CommandContext) {
  return { input: io.stdin as NodeJS.ReadableStream, output: io.stderr as NodeJS.WritableStream, signal };
}
