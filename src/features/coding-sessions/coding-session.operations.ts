import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { sessionEnd } from '../_kit/vocabulary.ts';
import { sessionReportRecord } from './report.record.ts';
import { codingSessionRecord } from './session.record.ts';
import { sessionWeekRecord } from './week.record.ts';

export const listCodingSessionsOperation = defineOperation({
  id: 'coding-sessions.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/coding-sessions',
  summary: 'Sessions of coding agents, newest first',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: pageQuery.extend({
    agent: z
      .string()
      .max(100)
      .optional()
      .describe('Only of this coding agent: `claude-code`, `codex` or another name that a sender gave'),
    project: z.string().max(1000).optional().describe('Only on this project: its root folder'),
    ended_by: sessionEnd.optional().describe('Only sessions with this end'),
    since: dateQuery.optional().describe('Started at or after'),
    until: dateQuery.optional().describe('Started before'),
  }),
  output: pageOf(codingSessionRecord),
  status: 200,
  run: (services, input) =>
    services.codingSessions.list(
      input.tenant_id,
      {
        agent: input.agent ?? null,
        project: input.project ?? null,
        endedBy: input.ended_by ?? null,
        since: input.since ?? null,
        until: input.until ?? null,
      },
      toPageRequest(input),
    ),
});

export const summarizeCodingSessionsOperation = defineOperation({
  id: 'coding-sessions.summary',
  method: 'GET',
  path: '/tenants/{tenant_id}/coding-sessions/summary',
  summary: 'Repeated corrections, expensive detours, failing tests and lost instructions of the last days',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: z.object({ days: z.coerce.number().int().min(1).max(366).default(7).describe('Days until now, 1 to 366') }),
  output: sessionWeekRecord,
  status: 200,
  run: (services, { tenant_id, days }) => services.codingSessions.summary(tenant_id, days),
});

export const getCodingSessionOperation = defineOperation({
  id: 'coding-sessions.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/coding-sessions/{session_id}',
  summary: 'Report of one session: prompts, work, problems, cost and end',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams.extend({
    session_id: z.string().describe("Id of the session or of its trace, or an unambiguous prefix of the session's id"),
  }),
  output: sessionReportRecord,
  status: 200,
  errorCodes: ['conflict'],
  run: (services, { tenant_id, session_id }, _caller, callOptions) =>
    services.codingSessions.report(tenant_id, session_id, callOptions),
});

/** The summary comes first: its path also matches that of a session. */
export const codingSessionOperations = [
  listCodingSessionsOperation,
  summarizeCodingSessionsOperation,
  getCodingSessionOperation,
];
