import { z } from 'zod';
import type { ErrorCode } from '../core/app-error.ts';
import type { JsonObject } from '../core/json.ts';
import { BODY_LIMITS, describeBodyLimit } from '../features/_kit/body-limits.ts';
import { fieldError } from '../features/_kit/vocabulary.ts';
import { HOOK_FRAMEWORKS } from '../formats/hooks/hook-framework.ts';
import { AGENT_HEADER, RECEIVED_HEADER } from './hook-origin.ts';
import { toResponses } from './openapi-errors.ts';
import type { SchemaRegistry } from './schema-registry.ts';

/** Ingest routes for coding agents: their hook records, and their telemetry events in addition to OTLP traces. */
export function codingAgentPaths(prefix: string, schemaRegistry: SchemaRegistry, tracesRoute: JsonObject): JsonObject {
  return {
    '/v1/logs': { post: logsRoute(tracesRoute) },
    [`${prefix}/traces/cli-agent/ingest`]: { post: cliAgentRoute(schemaRegistry) },
  };
}

const ERROR_CODES: readonly ErrorCode[] = [
  'invalid_query',
  'malformed',
  'request_timeout',
  'unauthenticated',
  'forbidden',
  'quota_exceeded',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_body',
];

function logsRoute(tracesRoute: JsonObject): JsonObject {
  return {
    ...tracesRoute,
    operationId: 'otlp.logs',
    summary: 'OTLP/HTTP receiver for the events of coding agents; other log records are accepted and ignored',
    requestBody: {
      required: true,
      description:
        'OTLP ExportLogsServiceRequest; Content-Encoding identity, gzip, deflate or zstd; 64 MiB decompressed',
      content: {
        'application/json': {
          schema: { type: 'object', required: ['resourceLogs'], properties: { resourceLogs: { type: 'array' } } },
        },
        'application/x-protobuf': {},
      },
    },
    responses: {
      ...(tracesRoute.responses as JsonObject),
      '200': { description: 'ExportLogsServiceResponse in the encoding of the request' },
    },
  };
}

const text = z.string().nullish();
const count = z.number().int().min(0).nullish();

/** Documentation only: `formats/hooks/check-record.ts` validates the records. */
const agentRecord = z
  .looseObject({
    session_id: z.string().min(1).max(512),
    hook_type: text.describe('What happened, for example `PostToolUse` or `Stop`'),
    timestamp: z
      .union([z.string(), z.number()])
      .nullish()
      .describe('RFC 3339, Unix seconds or Unix milliseconds; default: the time of receipt'),
    tool_name: text,
    tool_input: z.unknown(),
    tool_output: z.unknown(),
    working_dir: text,
    trace_type: text,
    model: text,
    tokens_in: count,
    tokens_out: count,
    cost_usd: z.number().min(0).nullish(),
  })
  .meta({
    id: 'CodingAgentRecord',
    description:
      'One event of a coding agent. The unchanged hook JSON of Claude Code, Codex, Gemini CLI and Cursor is also accepted: `hook_event_name` for `hook_type`, `tool_response` for `tool_output`, `cwd` for `working_dir`, and so on',
  });

const recordsResult = z
  .object({
    accepted_records: z.number().int(),
    rejected_records: z.number().int(),
    trace_ids: z.array(z.string()),
    errors: z.array(fieldError).describe('The first hundred'),
  })
  .meta({ id: 'RecordsResult' });

function originParameters(): JsonObject[] {
  const optional = { in: 'header', required: false };
  return [
    {
      name: RECEIVED_HEADER,
      ...optional,
      description:
        'RFC 3339 or Unix milliseconds: when the sender first received the records. A record that is sent again with the same time is stored once; default: the time of this request',
      schema: { type: 'string' },
    },
    {
      name: AGENT_HEADER,
      ...optional,
      description: 'The agent that called the hook; default: derived from the record',
      schema: { type: 'string', enum: [...HOOK_FRAMEWORKS] },
    },
  ];
}

function cliAgentRoute(schemaRegistry: SchemaRegistry): JsonObject {
  const record = schemaRegistry.refer(agentRecord, 'input');
  return {
    operationId: 'traces.cli-agent-ingest',
    summary: 'Ingest records of a command-line coding agent for the tenant of the credential',
    tags: ['traces'],
    security: [{ apiKey: [] }, { bearer: [] }],
    'x-scope': 'ingest',
    parameters: originParameters(),
    requestBody: {
      required: true,
      description: describeBodyLimit(BODY_LIMITS.hooks),
      content: { 'application/json': { schema: { anyOf: [record, { type: 'array', items: record }] } } },
    },
    responses: {
      '200': {
        description: 'Stored; the response to a hook call of the agent: an empty decision',
        content: { 'application/json': { schema: { type: 'object', additionalProperties: false } } },
      },
      '202': {
        description: 'Stored, as far as the records could be read',
        content: {
          'application/json': {
            schema: schemaRegistry.refer(recordsResult, 'output'),
          },
        },
      },
      ...toResponses(ERROR_CODES),
    },
  };
}
