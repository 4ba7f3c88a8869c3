import { z } from 'zod';
import { AppError } from '../../../core/app-error.ts';
import { parseRfc3339 } from '../../../core/rfc3339.ts';
import { SESSION_ENDS } from '../../../core/trace.ts';
import type { CodingSessionRecord } from '../../../features/coding-sessions/session.record.ts';
import { costText, endLabel, span } from '../../sessions/session-labels.ts';
import { READ_AT_ONCE_BYTES } from '../../sessions/session-source.ts';
import { dateInput } from '../list-page.ts';
import { LIMITS, name, names, optional } from '../text-limits.ts';
import { defineTool, type Show } from '../tool.ts';

const MAX_SESSIONS = 25;

const input = z.strictObject({
  project: z.string().min(1).max(1000).optional().describe('Only sessions on this project: its root folder'),
  agent: z.string().max(100).optional().describe('Only of this coding agent: claude-code, codex, …'),
  since: dateInput.describe('Started at or after, RFC 3339 or a date'),
  until: dateInput.describe('Started before, RFC 3339 or a date'),
  limit: z.number().int().min(1).max(MAX_SESSIONS).default(10).describe(`Sessions to show, 1 to ${MAX_SESSIONS}`),
});

const found = z.object({
  started_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  ended_by: z.enum(SESSION_ENDS).nullable(),
  cost_usd: z.number().nullable(),
  partial_usage_calls: z.number().int().nullable(),
  refusals: z.number().int().nullable(),
  interrupts: z.number().int().nullable(),
  failures: z.number().int().nullable(),
  finding_count: z.number().int().nullable(),
  untrusted: z.object({
    session_id: z.string(),
    title: z.string().nullable(),
    task: z.string().nullable(),
    project: z.string().nullable(),
    branch: z.string().nullable(),
    agent: z.string(),
    unpriced_models: z.array(z.string()),
  }),
});
type Found = z.output<typeof found>;

export const listSessionsTool = defineTool({
  name: 'list_sessions',
  title: 'List coding sessions',
  description:
    'Lists sessions of coding agents (yours too), newest first: title, project, cost, how each ended, refused and failed calls. ' +
    'show_session returns the report of one.',
  input,
  output: z.object({ total: z.number().int(), sessions: z.array(found) }),
  async run(_backend, { project, agent, since, until, limit }, openSessions) {
    const filter = {
      project: project ?? null,
      agent: agent ?? null,
      since: timeOf('since', since),
      until: timeOf('until', until),
      limit,
    };
    const source = await openSessions();
    try {
      const quick = await source.list(filter);
      const isComplete = quick.unread === 0 || quick.unreadBytes > READ_AT_ONCE_BYTES;
      const page = isComplete ? quick : await source.complete(filter, () => {});
      return {
        head:
          page.sessions.length === 0
            ? 'No sessions match.'
            : `${page.sessions.length} of ${page.total} sessions, newest first.`,
        data: { total: page.total, sessions: page.sessions.map(toFound) },
        dataIs: 'data from sessions',
        lines: ({ sessions }, show) => sessions.map((session) => lineOf(session, show)),
        next: page.sessions.length === 0 ? [] : ['show_session with a session_id returns the report of one.'],
      };
    } finally {
      await source.close();
    }
  },
});

/** @throws AppError `invalid_query` */
function timeOf(field: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const time = parseRfc3339(text);
  if (time !== null) return time;
  const message = 'must be an RFC 3339 date-time or a date';
  throw new AppError('invalid_query', 'The input is not valid.', { errors: [{ pointer: `?${field}`, message }] });
}

function toFound(session: CodingSessionRecord): Found {
  return {
    started_at: session.started_at,
    duration_ms: session.duration_ms,
    ended_by: session.ended_by,
    cost_usd: session.cost_usd,
    partial_usage_calls: session.partial_usage_calls,
    refusals: session.refusals,
    interrupts: session.interrupts,
    failures: session.failures,
    finding_count: session.detection_count,
    untrusted: {
      session_id: session.session_id,
      title: optional(session.title, LIMITS.name),
      task: optional(session.task, LIMITS.line),
      project: optional(session.project, LIMITS.line),
      branch: optional(session.branch, LIMITS.name),
      agent: name(session.agent),
      unpriced_models: names(session.unpriced_models),
    },
  };
}

function lineOf({ untrusted, ...session }: Found, show: Show): string {
  const { session_id, title, task, project, branch, agent } = untrusted;
  const facts = [
    ...(session.started_at === null ? [] : [session.started_at]),
    show(agent),
    ...(project === null ? [] : [show(project)]),
    ...(branch === null ? [] : [`branch ${show(branch)}`]),
    ...(session.duration_ms === null ? [] : [span(session.duration_ms)]),
    `cost ${costText({ ...session, unpriced_models: untrusted.unpriced_models })}`,
    `ended: ${endLabel(session.ended_by)}`,
    ...(session.refusals ? [`${session.refusals} refused`] : []),
    ...(session.failures ? [`${session.failures} failed`] : []),
  ];
  return `- session ${show(session_id)} "${show(title ?? task ?? '')}": ${facts.join(' · ')}`;
}
