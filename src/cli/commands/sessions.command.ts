import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { SessionListFlags, SessionShowFlags, SessionWeekFlags } from '../sessions/run-sessions.ts';

const HELP = `
Reads the folders of Claude Code, Codex, OpenCode, Copilot CLI, Pi, Gemini CLI, Qwen Code and Cline on this machine.
No server, import or hook is needed, and nothing is written there. With --server it shows ingested sessions.

Examples:
  $ misstep sessions --project .
  $ misstep sessions --agent codex --since 2026-01-01
  $ misstep sessions show 4f1c2a9b
  $ misstep sessions week --format markdown
`;

export const addSessions: AddCommand = (program, start) => {
  const sessions = program
    .command('sessions')
    .description('List sessions of coding agents, report on one, or summarize a week.')
    .addHelpText('after', HELP);
  addExclude(
    sessions.command('list', { isDefault: true }).description('List sessions by project, newest first (default).'),
  )
    .option('--agent <agent>', 'only of this agent: claude-code, codex, opencode, …')
    .option('--project <project>', 'only of this project: its folder, or its name')
    .option('--since <date>', 'started at or after, RFC 3339')
    .option('--until <date>', 'started before, RFC 3339')
    .option('--limit <number>', 'sessions to show', toLimit, 20)
    .addOption(
      new Option('--full', 'read every listed session in full before printing, regardless of size').conflicts('quick'),
    )
    .option('--quick', 'read only the head and the tail of each file; unknown figures stay empty')
    .action(async (flags: SessionListFlags, command: Command) => {
      await start(command, async (context) => {
        const { listSessions } = await import('../sessions/run-sessions.ts');
        await listSessions(context, flags);
      });
    });
  addExclude(sessions.command('show').description('Show the tasks, work, problems and cost of one session.'))
    .argument('<session-id>', 'the id, or the beginning of it')
    .action(async (id: string, flags: SessionShowFlags, command: Command) => {
      await start(command, async (context) => {
        const { showSession } = await import('../sessions/run-sessions.ts');
        await showSession(context, id, flags);
      });
    });
  addExclude(
    sessions
      .command('week')
      .description('Summarize repeated corrections, detours, failing tests and lost instructions.'),
  )
    .option('--days <number>', 'days until now', toDays, 7)
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'markdown', 'json']).default('text'))
    .action(async (flags: SessionWeekFlags, command: Command) => {
      await start(command, async (context) => {
        const { summarizeWeek } = await import('../sessions/run-sessions.ts');
        await summarizeWeek(context, flags);
      });
    });
};

function addExclude(command: Command): Command {
  return command.option(
    '--exclude <folder>',
    'omit sessions in this folder or on projects in it; repeatable (sessions_exclude in the config file)',
    (folder: string, folders: string[]) => [...folders, folder],
    [],
  );
}

const MAX_SHOWN = 10_000;

function toLimit(text: string): number {
  return toCount(text, MAX_SHOWN);
}

function toDays(text: string): number {
  return toCount(text, 366);
}

function toCount(text: string, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new InvalidArgumentError(`Give a number from 1 to ${max}.`);
}
