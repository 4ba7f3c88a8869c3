import { AppError } from '../../core/app-error.ts';
import { parseRfc3339 } from '../../core/rfc3339.ts';
import { CODING_AGENTS } from '../../detectors/_readings/conduct/coding-session.ts';
import type { CommandContext } from '../context.ts';
import { withProgress } from '../progress.ts';
import { counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import { sessionsText } from './list-text.ts';
import { openSessionSource } from './open-source.ts';
import { projectFilter } from './project-filter.ts';
import { reportText } from './report-text.ts';
import {
  type OnProgress,
  READ_AT_ONCE_BYTES,
  type SessionFilter,
  type SessionPage,
  type SessionSource,
} from './session-source.ts';
import { weekMarkdown, weekText } from './week-text.ts';

export interface LocalFlags {
  exclude: string[];
}

export interface SessionListFlags extends LocalFlags {
  agent?: string;
  project?: string;
  since?: string;
  until?: string;
  limit: number;
  full?: boolean;
  quick?: boolean;
}

export type SessionShowFlags = LocalFlags;

export interface SessionWeekFlags extends LocalFlags {
  days: number;
  format: 'text' | 'markdown' | 'json';
}

export async function listSessions(context: CommandContext, flags: SessionListFlags): Promise<void> {
  await withSource(context, flags.exclude, async (source) => {
    const filter = toFilter(context, flags);
    const page = await source.list(filter);
    if (page.total === 0 && !context.options.isJson)
      return context.print.note(await noneFound(context, source, filter));
    const canRedraw = Boolean(context.io.stdout.isTTY) && !context.options.isJson;
    const isQuick = flags.quick || (!flags.full && !canRedraw && page.unreadBytes > READ_AT_ONCE_BYTES);
    if (page.unread === 0 || isQuick) {
      printList(context, page);
      return;
    }
    const drawn = canRedraw ? sessionsText(page.sessions, context) : '';
    if (canRedraw) context.print.data(drawn);
    const full = await reading(context, (onProgress) => source.complete(filter, onProgress));
    if (canRedraw) eraseLines(context, drawn);
    printList(context, full);
  });
}

export async function showSession(context: CommandContext, id: string, flags: SessionShowFlags): Promise<void> {
  await withSource(context, flags.exclude, async (source) => {
    const report = await withProgress(context, 'Reading the session', () => source.show(id));
    if (context.options.isJson) context.print.json(report);
    else context.print.data(reportText(report, context));
  });
}

export async function summarizeWeek(context: CommandContext, flags: SessionWeekFlags): Promise<void> {
  await withSource(context, flags.exclude, async (source) => {
    const week = await reading(context, (onProgress) => source.week(flags.days, onProgress));
    const format = context.options.isJson ? 'json' : flags.format;
    if (format === 'json') return context.print.json(week);
    if (format === 'text' && week.session_count === 0)
      return context.print.note(`No sessions in the last ${counted(flags.days, 'day')}.`);
    context.print.data(format === 'markdown' ? weekMarkdown(week) : weekText(week, context));
  });
}

async function withSource(
  context: CommandContext,
  excluded: readonly string[],
  work: (source: SessionSource) => Promise<void>,
): Promise<void> {
  const source = await openSessionSource(context, excluded);
  try {
    await work(source);
  } finally {
    await source.close();
  }
  for (const path of source.unreadable) context.print.warn(printableLine(`misstep: ${path} cannot be read`));
}

function reading<Result>(context: CommandContext, work: (onProgress: OnProgress) => Promise<Result>): Promise<Result> {
  return withProgress(context, 'Reading sessions', (say) =>
    work((done, total) => say(`Reading sessions: ${done} of ${total}`)),
  );
}

function printList(context: CommandContext, page: SessionPage): void {
  const { print, options } = context;
  const { sessions, total, unread } = page;
  if (options.isJson) print.json({ sessions, total, unread });
  else if (sessions.length > 0) {
    print.data(sessionsText(sessions, context));
    printNotes(context, page);
  }
}

function printNotes({ print }: CommandContext, { sessions, total, unread, unreadBytes }: SessionPage): void {
  const unpriced = [...new Set(sessions.flatMap(({ unpriced_models }) => unpriced_models))];
  if (unpriced.length > 0) print.note(printableLine(`Price unknown: ${unpriced.join(', ')}`));
  if (sessions.length < total) print.note(`${sessions.length} of ${total} sessions; --limit shows more.`);
  if (unread > 0)
    print.note(
      `${counted(unread, 'session')} (${megabytes(unreadBytes)}) not read in full: figures are missing. --full reads them.`,
    );
}

async function noneFound({ options }: CommandContext, source: SessionSource, filter: SessionFilter): Promise<string> {
  const named = [
    ...(filter.agent === null ? [] : ['--agent']),
    ...(filter.project === null ? [] : ['--project']),
    ...(filter.since === null ? [] : ['--since']),
    ...(filter.until === null ? [] : ['--until']),
  ];
  if (named.length > 0) {
    const { total } = await source.list({ agent: null, project: null, since: null, until: null, limit: 1 });
    const them = named.length > 1 ? 'them' : 'it';
    if (total > 0) return `No sessions match ${named.join(' and ')}. Without ${them}: ${counted(total, 'session')}.`;
  }
  return options.server === null
    ? 'No sessions found. Folders of Claude Code, Codex, OpenCode, Copilot, Pi, Gemini, Qwen and Cline were searched.'
    : 'No sessions found.';
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}

/** Moves the cursor above the output and clears the screen below it. Output longer than the screen is not erased. */
function eraseLines({ io }: CommandContext, drawn: string): void {
  const lines = drawn.split('\n').length - 1;
  const rows = (io.stdout as { rows?: number }).rows ?? 0;
  if (lines < rows) io.stdout.write(`\u001b[${lines}A\u001b[J`);
  else io.stdout.write('\n');
}

function toFilter(context: CommandContext, flags: SessionListFlags): SessionFilter {
  const { since, until, agent, project, limit } = flags;
  if (agent !== undefined && !CODING_AGENTS.has(agent))
    throw new AppError('usage', `--agent takes one of ${[...CODING_AGENTS].join(', ')}, not ${JSON.stringify(agent)}.`);
  return {
    agent: agent ?? null,
    project: project === undefined ? null : projectFilter(project, context.io.cwd),
    since: since === undefined ? null : timeOf('--since', since),
    until: until === undefined ? null : timeOf('--until', until),
    limit,
  };
}

/** @throws AppError `usage` */
function timeOf(flag: string, text: string): number {
  const time = parseRfc3339(text);
  if (time === null) throw new AppError('usage', `${flag} takes a date such as 2026-01-31 or an RFC 3339 time.`);
  return time;
}
