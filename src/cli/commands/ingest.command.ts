import type { Command } from 'commander';
import type { AddCommand } from '../program.ts';

interface IngestFlags {
  strict?: boolean;
  verbose?: boolean;
}

/** `hot-path.ts` runs most calls before this program is even loaded; here come those with flags before the name. */
export const addIngest: AddCommand = (program, start) => {
  program
    .command('ingest')
    .summary('take traces from standard input; for hooks')
    .description(
      'Takes a record or many from standard input: OTLP as JSON or protobuf, JSON lines, or the JSON a coding agent gives its hooks. ' +
        'Fast, silent, and failing open: the exit code is 0 whatever happens. What the server or the store cannot take now is kept and taken later, once.',
    )
    .option('--strict', 'tell failures, and show them in the exit code')
    .option('--verbose', 'tell on stderr what was done')
    .action(async ({ strict = false, verbose = false }: IngestFlags, command: Command) => {
      await start(command, async ({ io, options }) => {
        const { ingestOpenly } = await import('../ingest/ingest-openly.ts');
        const { maxSpoolBytes } = await import('../ingest/ingest-options.ts');
        const all = { ...options, isStrict: strict, isVerbose: verbose, maxSpoolBytes: maxSpoolBytes(io.env) };
        return ingestOpenly(() => all, strict, io);
      });
    });
};
