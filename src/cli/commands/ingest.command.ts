import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';

interface IngestFlags {
  strict?: boolean;
  verbose?: boolean;
  agent?: string;
  feedback?: boolean;
}

/** `hot-path.ts` runs most calls before this program is even loaded; here come those with flags before the name. */
export const addIngest: AddCommand = (program, start) => {
  program
    .command('ingest')
    .summary('Take traces from standard input; for hooks.')
    .description(
      'Takes a record or many from standard input: OTLP as JSON or protobuf, JSON lines, or the JSON a coding agent gives its hooks. ' +
        'Fast, silent, and failing open: the exit code is 0 whatever happens. What the server or the store cannot take now is kept and taken later, once.',
    )
    .option('--agent <agent>', 'whose hook calls: claude-code, codex, gemini or cursor; the record tells')
    .option('--feedback', 'answer with a warning when the agent repeats itself')
    .option('--strict', 'tell failures, and show them in the exit code')
    .option('--verbose', 'tell on stderr what was done')
    .action(async ({ strict = false, verbose = false, agent, feedback = false }: IngestFlags, command: Command) => {
      await start(command, async ({ io, options }) => {
        const { ingestOpenly } = await import('../ingest/ingest-openly.ts');
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
