import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Severity } from '../../core/severity.ts';
import type { SessionEnd } from '../../core/trace.ts';
import type { Database, TraceTable } from '../../store/schema.ts';
import { countTraces, listTraces, type TraceFilter } from '../../store/trace-list.store.ts';
import { createCountCache } from '../_kit/count-cache.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { type CodingSessionRecord, type SessionItem, toCodingSessionRecord } from './session.record.ts';
import type { SessionDigest } from './session-digest.ts';

export interface CodingSessionFilter {
  agent: string | null;
  project: string | null;
  endedBy: SessionEnd | null;
  /** Unix milliseconds; since inclusive, until exclusive. */
  since: number | null;
  until: number | null;
}

/** What a tenant sent of its coding agents' sessions. */
export interface CodingSessionService {
  /** Newest start first. */
  list(tenantId: string, filter: CodingSessionFilter, page: PageRequest): Promise<Page<CodingSessionRecord>>;
}

export function createCodingSessionService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
}): CodingSessionService {
  const { db, tenantNoOf } = options;
  const { countOnce } = createCountCache(options.clock);

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
  };
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

function itemOfRow(row: TraceTable): SessionItem {
  return {
    sessionId: row.session_id ?? row.trace_id,
    traceId: row.trace_id,
    agent: row.framework,
    title: row.title,
    task: row.task,
    project: row.project,
    branch: row.branch,
    endedBy: row.ended_by as SessionEnd | null,
    startedAtMs: row.started_at,
    endedAtMs: row.ended_at,
    totalTokens: row.total_tokens,
    costUsd: row.cost_usd,
    models: JSON.parse(row.models) as string[],
    detectionCount: row.detection_count,
    maxSeverity: row.max_severity as Severity | null,
    digest: row.session_digest === null ? null : (JSON.parse(row.session_digest) as SessionDigest),
  };
}
