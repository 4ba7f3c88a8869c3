import { VERSION } from '../core/version.ts';
import { EXIT } from './exit-code.ts';
import { ingestOpenly } from './ingest/ingest-openly.ts';
import { readIngestOptions } from './ingest/ingest-options.ts';
import { recordInput } from './ingest/record-input.ts';
import { type IngestIo, processIo } from './io.ts';

/**
 * What must start fast: a hook's `ingest`, and `--version`. Nothing heavy is imported on this way.
 * @returns the exit code, or null where the whole program is needed
 */
export async function runHotPath(argv: readonly string[], io: IngestIo = hotIo()): Promise<number | null> {
  const [command, ...rest] = argv;
  if (argv.length === 1 && (command === '--version' || command === '-V')) {
    io.stdout.write(`${VERSION}\n`);
    return EXIT.clean;
  }
  if (command !== 'ingest' || rest.includes('--help') || rest.includes('-h')) return null;
  return ingestOpenly(() => readIngestOptions(rest, io), rest.includes('--strict'), io);
}

function hotIo(): IngestIo {
  return Object.defineProperty(processIo(), 'stdin', { get: () => recordInput(() => process.stdin) });
}
