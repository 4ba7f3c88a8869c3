import { CommanderError } from 'commander';
import { toStorageError } from '../store/storage-failure.ts';
import { withConfigFiles } from './config-file.ts';
import type { CommandWork } from './context.ts';
import { createContext } from './create-context.ts';
import { errorLines } from './error-lines.ts';
import { EXIT, exitCodeOf, isPromptAborted } from './exit-code.ts';
import { type GlobalFlags, toGlobalOptions } from './global-options.ts';
import { type Io, processIo } from './io.ts';
import { isClosedOutput, tolerateClosedPipes } from './printer.ts';
import { buildProgram } from './program.ts';
import { listenForSignals, type Signals } from './signals.ts';

/**
 * Runs one command line and returns its exit code; never throws.
 * @param argv arguments after the program's name
 */
export async function main(
  argv: readonly string[],
  io: Io = processIo(),
  signals: Signals = listenForSignals(),
): Promise<number> {
  tolerateClosedPipes(io);
  try {
    return await Promise.race([runProgram(argv, io, signals), signals.received]);
  } catch (error) {
    return isClosedOutput(error, io) ? EXIT.clean : reportFailure(toStorageError(error) ?? error, io);
  } finally {
    signals.ignore();
  }
}

async function runProgram(argv: readonly string[], io: Io, signals: Signals): Promise<number> {
  let exitCode: number = EXIT.clean;
  const program = buildProgram(io, async (work, flags, isReading) => {
    exitCode = await runWork(work, { ...flags, isReading }, io, signals);
  });
  await program.parseAsync(argv, { from: 'user' });
  return exitCode;
}

async function runWork(
  work: CommandWork,
  flags: GlobalFlags & { isReading: boolean },
  outside: Io,
  signals: Signals,
): Promise<number> {
  const io = { ...outside, env: withConfigFiles(outside, flags.config), processEnv: outside.env };
  const { context, close } = createContext(toGlobalOptions(flags, io, flags.isReading), io, signals.signal);
  try {
    return (await work(context)) ?? EXIT.clean;
  } finally {
    await close();
  }
}

function reportFailure(error: unknown, io: Io): number {
  // Commander has printed its message, or the requested help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.clean : EXIT.usage;
  if (!isPromptAborted(error)) {
    for (const line of errorLines(error, Boolean(io.env.MISSTEP_DEBUG))) io.stderr.write(`${line}\n`);
  }
  return exitCodeOf(error);
}
