import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../context.ts';

/**
 * The given value, otherwise the answer to a prompt. Prompts use stderr, so that stdout contains data only.
 * @throws AppError `usage` if prompts are not possible
 */
export async function givenOrPrompted(
  context: CommandContext,
  given: string | undefined,
  flag: string,
  question: string,
): Promise<string> {
  if (given !== undefined) return given;
  if (!context.options.isInteractive) throw new AppError('usage', `${flag} is required.`);
  const { input } = await import('@inquirer/prompts');
  const answer = await input(
    { message: question, validate: (text) => text.trim() !== '' || 'Enter a text.' },
    promptStreams(context),
  );
  return answer.trim();
}

/** @throws AppError `usage` if prompts are not possible and `--yes` was not given */
export async function confirm(
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
