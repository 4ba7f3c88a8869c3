import { VERSION } from '../core/version.ts';
import { EXIT } from './exit-code.ts';
import { ingestOpenly } from './ingest/ingest-openly.ts';
import { readIngestOptions } from './ingest/ingest-options.ts';
import { type Io, processIo } from './io.ts';

/**
 * What must start fast: a hook's `ingest`, and `--version`. Nothing heavy is imported on this way.
 * @returns the exit code, or null where the whole program is needed
 */
export async function runHotPath(argv: readonly string[], io: Io = processIo()): Promise<number | null> {
  const [command, ...rest] = argv;
  if (argv.length === 1 && (command === '--version' || command === '-V')) {
    io.stdout.write(`${VERSION}\n`);
    return EXIT.clean;
  }
  if (command !== 'ingest' || rest.includes('--help') || rest.includes('-h')) return null;
  return ingestOpenly(() => readIngestOptions(rest, io), rest.includes('--strict'), io);
}
