import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { sessionEnd } from '../_kit/vocabulary.ts';
import { codingSessionRecord } from './session.record.ts';

export const listCodingSessionsOperation = defineOperation({
  id: 'coding-sessions.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/coding-sessions',
  summary: 'Sessions of coding agents, newest first',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: pageQuery.extend({
    agent: z.string().max(100).optional().describe('Only of this coding agent: claude-code, codex, …'),
    project: z.string().max(1000).optional().describe('Only on this project: its root folder'),
    ended_by: sessionEnd.optional().describe('Only sessions that ended so'),
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

export const codingSessionOperations = [listCodingSessionsOperation];
