import { z } from 'zod';
import { CONVERSATION_FORMATS } from '../../core/conversation.ts';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, inOrder, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { detectionRecord } from '../detections/detection.record.ts';
import { conversationBody } from './conversation.body.ts';
import { conversationRecord, ingestedConversation, turnRecord } from './conversation.record.ts';

const conversationParams = tenantParams.extend({ conversation_id: z.string() });

export const ingestConversationOperation = defineOperation({
  id: 'conversations.ingest',
  method: 'POST',
  path: '/tenants/{tenant_id}/conversations/ingest',
  summary: 'Stores a conversation; unreadable items are rejected individually',
  access: { kind: 'tenant', scope: 'ingest' },
  params: tenantParams,
  bodyLimit: 'conversations',
  body: conversationBody,
  output: ingestedConversation,
  status: 201,
  run: (services, { tenant_id, ...conversation }) =>
    services.conversations.ingest(tenant_id, Buffer.from(JSON.stringify(conversation))),
  runUnparsed: (services, { tenant_id }, body) => services.conversations.ingest(tenant_id, body),
});

export const listConversationsOperation = defineOperation({
  id: 'conversations.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/conversations',
  summary: 'Conversations, newest first',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: inOrder(
    pageQuery.extend({
      format: z.enum(CONVERSATION_FORMATS).optional(),
      framework: z.string().optional(),
      date_from: dateQuery.optional().describe('Started at or after'),
      date_to: dateQuery.optional().describe('Started before'),
    }),
    'date_from',
    'date_to',
  ),
  output: pageOf(conversationRecord),
  status: 200,
  run: (services, input) =>
    services.conversations.list(
      input.tenant_id,
      {
        format: input.format ?? null,
        framework: input.framework ?? null,
        from: input.date_from ?? null,
        to: input.date_to ?? null,
      },
      toPageRequest(input),
    ),
});

export const getConversationOperation = defineOperation({
  id: 'conversations.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/conversations/{conversation_id}',
  summary: 'One conversation',
  access: { kind: 'tenant', scope: 'read' },
  params: conversationParams,
  output: conversationRecord,
  status: 200,
  run: (services, input) => services.conversations.get(input.tenant_id, input.conversation_id),
});

export const listTurnsOperation = defineOperation({
  id: 'conversations.turns',
  method: 'GET',
  path: '/tenants/{tenant_id}/conversations/{conversation_id}/turns',
  summary: 'The turns of a conversation in order',
  access: { kind: 'tenant', scope: 'read' },
  params: conversationParams,
  output: z.object({ conversation_id: z.string(), items: z.array(turnRecord), total: z.number().int() }),
  status: 200,
  run: (services, { tenant_id, conversation_id }, _caller, callOptions) =>
    services.conversations.turns(tenant_id, conversation_id, callOptions),
});

export const analyzeConversationOperation = defineOperation({
  id: 'conversations.analyze',
  method: 'POST',
  path: '/tenants/{tenant_id}/conversations/{conversation_id}/analyze',
  summary: 'Runs every detector over the turns now and returns the detections; sends no alerts',
  storesResult: true,
  access: { kind: 'tenant', scope: 'read' },
  params: conversationParams,
  output: z.object({
    conversation_id: z.string(),
    trace_id: z.string(),
    failure_modes: z.array(z.string()),
    detections: z.array(detectionRecord).describe('Worst first; `step` is the turn'),
    total: z.number().int(),
  }),
  status: 200,
  run: async (services, { tenant_id, conversation_id }) => {
    const traceId = await services.conversations.traceIdOf(tenant_id, conversation_id);
    await services.analysis.analyzeTrace(tenant_id, traceId, { isQuiet: true });
    const detections = await services.detections.ofTrace(tenant_id, traceId);
    const { failure_modes } = await services.conversations.get(tenant_id, conversation_id);
    return { conversation_id, trace_id: traceId, failure_modes, detections, total: detections.length };
  },
});

export const conversationOperations = [
  ingestConversationOperation,
  listConversationsOperation,
  getConversationOperation,
  listTurnsOperation,
  analyzeConversationOperation,
];
