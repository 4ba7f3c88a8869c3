import { EXIT } from '../exit-code.ts';
import type { IngestIo } from '../io.ts';
import type { IngestOptions } from './ingest-options.ts';
import { ingestInput } from './run-ingest.ts';

/**
 * Fails open: after any error, an agent that calls this as its hook continues. Many agents stop at exit code 2.
 * Only `--strict` reports failures in the exit code, and only usage errors are printed by default.
 */
export async function ingestFailOpen(
  readOptions: () => IngestOptions,
  isStrict: boolean,
  io: IngestIo,
): Promise<number> {
  const warn = (message: string) => void io.stderr.write(`misstep: ingest: ${message}\n`);
  const codeOf = (exitCode: number) => (isStrict ? exitCode : EXIT.clean);
  let options: IngestOptions;
  try {
    options = readOptions();
  } catch (error) {
    warn(messageOf(error));
    return codeOf(EXIT.usage);
  }
  const failed = (error: unknown) => ({ exitCode: EXIT.failure, message: messageOf(error) });
  const { exitCode, message } = await ingestInput(options, io).catch(failed);
  if (options.isVerbose || (isStrict && exitCode !== EXIT.clean)) warn(message);
  return codeOf(exitCode);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
