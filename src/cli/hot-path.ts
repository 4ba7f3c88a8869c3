import { VERSION } from '../core/version.ts';
import { EXIT } from './exit-code.ts';
import { ingestFailOpen } from './ingest/ingest-fail-open.ts';
import { readIngestOptions } from './ingest/ingest-options.ts';
import { recordInput } from './ingest/record-input.ts';
import { type IngestIo, processIo } from './io.ts';

/**
 * The paths that must start fast: a hook's `ingest`, and `--version`. Imports nothing large.
 * @returns the exit code, or null if the whole program is needed
 */
export async function runHotPath(argv: readonly string[], io: IngestIo = hotIo()): Promise<number | null> {
  const [command, ...rest] = argv;
  if (argv.length === 1 && (command === '--version' || command === '-V')) {
    io.stdout.write(`${VERSION}\n`);
    return EXIT.clean;
  }
  if (command !== 'ingest' || rest.includes('--help') || rest.includes('-h')) return null;
  return ingestFailOpen(() => readIngestOptions(rest, io), rest.includes('--strict'), io);
}

function hotIo(): IngestIo {
  return Object.defineProperty(processIo(), 'stdin', { get: () => recordInput(() => process.stdin) });
}
