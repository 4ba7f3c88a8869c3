import type { CommandContext } from './context.ts';

/** Turns a spinner while the work lasts, where a person watches; elsewhere it only works. */
export async function withProgress<Result>(
  { io, options }: CommandContext,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // A terminal that does not know its width makes the spinner draw a line for every character.
  if (!io.stderr.isTTY || !io.stderr.columns || options.isQuiet) return work();
  const { default: ora } = await import('ora');
  const spinner = ora({ text, stream: io.stderr as NodeJS.WriteStream, discardStdin: false }).start();
  try {
    return await work();
  } finally {
    spinner.stop();
  }
}
