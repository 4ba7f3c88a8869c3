import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { JsonText } from '../../core/json-text.ts';
import type { SessionEnd } from '../../core/trace.ts';
import type { Database } from '../../store/schema.ts';
import { countTraces, findCodingSessions, listTraces, type TraceFilter } from '../../store/trace-list.store.ts';
import type { CallOptions } from '../_kit/caller.ts';
import { createCountCache } from '../_kit/count-cache.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import { sessionReportTask } from './coding-session.tasks.ts';
import type { SessionReport } from './report.record.ts';
import { type CodingSessionRecord, toCodingSessionRecord } from './session.record.ts';
import { itemOfRow } from './session-row.ts';
import type { SessionWeek } from './week.record.ts';
import { summarizeSessions } from './week-summary.ts';

export interface CodingSessionFilter {
  agent: string | null;
  project: string | null;
  endedBy: SessionEnd | null;
  /** Unix milliseconds; since inclusive, until exclusive. */
  since: number | null;
  until: number | null;
}

/** Coding agent sessions of a tenant. */
export interface CodingSessionService {
  /** Newest start first. */
  list(tenantId: string, filter: CodingSessionFilter, page: PageRequest): Promise<Page<CodingSessionRecord>>;
  /**
   * @param id of the session or its trace, or an unambiguous prefix of the session's id
   * @throws AppError `not_found`, `conflict` if several session ids have the prefix
   */
  report(tenantId: string, id: string, callOptions?: CallOptions): Promise<JsonText<SessionReport>>;
  /** Summarizes the sessions that started in the last days. */
  summary(tenantId: string, days: number): Promise<SessionWeek>;
}

const DAY_MS = 86_400_000;
/** Maximum sessions of a summary, newest first. */
const MAX_SUMMARIZED = 2_000;
const MAX_NAMED = 5;

export function createCodingSessionService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tasks: TaskRunner;
  tenantNoOf(tenantId: string): Promise<number>;
}): CodingSessionService {
  const { db, clock, tasks, tenantNoOf } = options;
  const { countOnce } = createCountCache(clock);

  return {
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const { after, ...range } = toRange(page);
      const wanted = toTraceFilter(filter);
      const position = after && { startedAt: after.at, traceId: after.id };
      const rows = await listTraces(db, tenantNo, wanted, { ...range, after: position });
      return toPage(
        rows,
        await countOnce(JSON.stringify([tenantNo, wanted]), () => countTraces(db, tenantNo, wanted)),
        page,
        {
          toItem: (row) => toCodingSessionRecord(itemOfRow(row)),
          positionOf: (row) => ({ at: row.started_at, id: row.trace_id }),
        },
      );
    },
    async report(tenantId, id, { signal } = {}) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await findCodingSessions(db, tenantNo, id, MAX_NAMED + 1);
      if (rows.length === 0) throw new AppError('not_found', `There is no coding session ${id}.`);
      const [first, second] = rows;
      if (second !== undefined && first!.session_id !== second.session_id) throw ambiguous(id, rows);
      return tasks.start(sessionReportTask, { tenantNo, traceId: first!.trace_id }, { tenantNo, signal });
    },
    async summary(tenantId, days) {
      const tenantNo = await tenantNoOf(tenantId);
      const toMs = clock.now();
      const fromMs = toMs - days * DAY_MS;
      const filter = toTraceFilter({ agent: null, project: null, endedBy: null, since: fromMs, until: null });
      const rows = await listTraces(db, tenantNo, filter, { after: null, offset: 0, limit: MAX_SUMMARIZED });
      return summarizeSessions(rows.map(itemOfRow), fromMs, toMs);
    },
  };
}

function ambiguous(id: string, rows: readonly { session_id: string | null }[]): AppError {
  const ids = rows.slice(0, MAX_NAMED).map(({ session_id }) => session_id);
  const more = rows.length > MAX_NAMED ? ', …' : '';
  return new AppError('conflict', `${id} is a prefix of several session ids: ${ids.join(', ')}${more}`);
}

function toTraceFilter({ agent, project, endedBy, since, until }: CodingSessionFilter): TraceFilter {
  return {
    agentId: null,
    status: null,
    framework: agent,
    isCodingSession: true,
    project,
    endedBy,
    from: since,
    to: until,
  };
}
