import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';

interface IngestFlags {
  strict?: boolean;
  verbose?: boolean;
  agent?: string;
  feedback?: boolean;
}

/** For calls with flags before the name `ingest`; `hot-path.ts` handles the others without loading the whole program. */
export const addIngest: AddCommand = (program, start) => {
  program
    .command('ingest')
    .summary('Ingest traces from standard input, for hooks.')
    .description(
      'Reads one or more records from standard input: OTLP as JSON or protobuf, JSON lines, or the JSON of coding agent hooks. ' +
        'Fast, silent and fail-open: the exit code is always 0. Data that the server or the store cannot accept now is spooled and ingested later.',
    )
    .option('--agent <agent>', 'agent of the hook: claude-code, codex, gemini or cursor (default: detected)')
    .option('--feedback', 'respond with a warning when the agent repeats itself')
    .option('--strict', 'report failures, and set the exit code')
    .option('--verbose', 'report on stderr what was done')
    .action(async ({ strict = false, verbose = false, agent, feedback = false }: IngestFlags, command: Command) => {
      await start(command, async ({ io, options }) => {
        const { ingestFailOpen: ingestOpenly } = await import('../ingest/ingest-fail-open.ts');
        const { maxSpoolBytes } = await import('../ingest/ingest-options.ts');
        const { toFramework } = await import('../ingest/hook-agent.ts');
        const readAll = () => ({
          ...options,
          agent: toFramework(agent),
          hasFeedback: feedback,
          isStrict: strict,
          isVerbose: verbose,
          maxSpoolBytes: maxSpoolBytes(io.env),
        });
        return ingestOpenly(readAll, strict, io);
      });
    });
};
