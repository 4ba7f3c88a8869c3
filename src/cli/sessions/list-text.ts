import type { CodingSessionRecord } from '../../features/coding-sessions/session.record.ts';
import { printableLine } from '../views/printable.ts';
import type { Style } from '../views/style.ts';
import { type Column, table } from '../views/table.ts';
import { costText, endLabel, localTime, projectText, shortIds, span, titleOf, UNKNOWN_END } from './session-labels.ts';

/** Sessions grouped by project: the project with the newest session first. */
export function sessionsText(
  sessions: readonly CodingSessionRecord[],
  { style, width }: { style: Style; width: number },
): string {
  const groups = [...Map.groupBy(sessions, ({ project }) => project)];
  const rows = groups.flatMap(([, same]) => same);
  const [head, ...lines] = table(rows, columnsOf(rows, style, width), style)
    .trimEnd()
    .split('\n');
  const blocks = groups.map(([project, same]) => {
    const block = lines.splice(0, same.length);
    return [style.bold(printableLine(projectText(project))), ...block.map((line) => `  ${line}`)].join('\n');
  });
  return `  ${head}\n${blocks.join('\n\n')}\n`;
}

const OTHER_COLUMNS = 84;
const MIN_TITLE_WIDTH = 24;
const MAX_TITLE_WIDTH = 60;

function columnsOf(
  sessions: readonly CodingSessionRecord[],
  style: Style,
  width: number,
): Column<CodingSessionRecord>[] {
  const ids = shortIds(sessions.map(({ session_id }) => session_id));
  const title = Math.min(MAX_TITLE_WIDTH, Math.max(MIN_TITLE_WIDTH, width - OTHER_COLUMNS));
  return [
    { title: 'started', text: ({ started_at }) => (started_at === null ? '–' : localTime(started_at)) },
    { title: 'title', text: (session) => titleCell(session), limit: title },
    { title: 'time', text: ({ duration_ms }) => (duration_ms === null ? '–' : span(duration_ms)), align: 'right' },
    { title: 'cost', text: costText, align: 'right' },
    { title: 'end', text: ({ ended_by }) => endLabel(ended_by) },
    { title: 'refused', text: ({ refusals }) => figure(refusals), align: 'right' },
    { title: 'failed', text: ({ failures }) => figure(failures), align: 'right' },
    { title: 'agent', text: ({ agent }) => agent, limit: 12 },
    {
      title: 'session',
      text: ({ session_id }) => ids.get(session_id) ?? session_id,
      paint: (_, text) => style.dim(text),
    },
  ];
}

function titleCell(session: CodingSessionRecord): string {
  return session.parent_id === null ? titleOf(session) : `↳ ${titleOf(session)}`;
}

function figure(amount: number | null): string {
  if (amount === null) return UNKNOWN_END;
  return amount === 0 ? '–' : String(amount);
}
