import { EXIT } from '../exit-code.ts';
import type { IngestIo } from '../io.ts';
import type { IngestOptions } from './ingest-options.ts';
import { ingestInput } from './run-ingest.ts';

/**
 * Fails open: whatever goes wrong, an agent that calls this as its hook goes on (to many, exit code 2 means "stop").
 * Only `--strict` shows failures in the exit code, and only a mistake in the command line is told unasked.
 */
export async function ingestOpenly(readOptions: () => IngestOptions, isStrict: boolean, io: IngestIo): Promise<number> {
  const told = (message: string) => void io.stderr.write(`misstep: ingest: ${message}\n`);
  const codeOf = (exitCode: number) => (isStrict ? exitCode : EXIT.clean);
  let options: IngestOptions;
  try {
    options = readOptions();
  } catch (error) {
    told(messageOf(error));
    return codeOf(EXIT.usage);
  }
  const failed = (error: unknown) => ({ exitCode: EXIT.failure, message: messageOf(error) });
  const { exitCode, message } = await ingestInput(options, io).catch(failed);
  if (options.isVerbose || (isStrict && exitCode !== EXIT.clean)) told(message);
  return codeOf(exitCode);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
