import type { CommandContext } from './context.ts';

/** Shows a spinner on a terminal while the work lasts; `say` replaces its text. */
export async function withProgress<Result>(
  { io, options }: CommandContext,
  text: string,
  work: (say: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  // On a terminal of unknown width the spinner prints a line for every character.
  if (!io.stderr.isTTY || !io.stderr.columns || options.isQuiet) return work(() => {});
  const { default: ora } = await import('ora');
  const spinner = ora({ text, stream: io.stderr as NodeJS.WriteStream, discardStdin: false }).start();
  try {
    return await work((text) => {
      spinner.text = text;
    });
  } finally {
    spinner.stop();
  }
}
