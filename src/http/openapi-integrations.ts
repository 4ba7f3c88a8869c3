import type { ErrorCode } from '../core/app-error.ts';
import type { JsonObject } from '../core/json.ts';
import { BODY_LIMITS, describeBodyLimit } from '../features/_kit/body-limits.ts';
import type { IntegrationSource } from '../features/integrations/integration-source.ts';
import { integrationSources } from '../features/platforms.ts';
import { PLATFORM_EVENTS } from '../features/streams/stream-event.ts';
import { toResponses } from './openapi-errors.ts';
import { EVENT_STREAM, LAST_EVENT_ID } from './openapi-streams.ts';

const TENANT_SECURITY: JsonObject[] = [{ apiKey: [] }, { bearer: [] }];
const ERROR_CODES: readonly ErrorCode[] = [
  'malformed',
  'unauthenticated',
  'forbidden',
  'quota_exceeded',
  'conflict',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_body',
];

/** Webhooks and streams, which are not operations. @param stored the response to accepted spans */
export function integrationPaths(prefix: string, stored: JsonObject): JsonObject {
  return Object.fromEntries(
    integrationSources.flatMap((source) => [
      [`${prefix}/${source.integration}/webhook`, { post: webhook(source, stored) }],
      [`${prefix}/${source.integration}/webhook/{token}`, { post: tokenWebhook(source, stored) }],
      [`${prefix}/${source.integration}/stream`, { get: stream(source) }],
    ]),
  );
}

function webhook({ integration, platform, isAlwaysSigned }: IntegrationSource, stored: JsonObject): JsonObject {
  const when = isAlwaysSigned ? '' : ', signed if a registration requires it';
  return {
    operationId: `${integration}.webhook`,
    summary: `Receives run events from ${platform}${when}`,
    tags: [integration],
    security: TENANT_SECURITY,
    'x-scope': 'ingest',
    parameters: signatureParameters(isAlwaysSigned),
    requestBody: BODY,
    responses: { '202': stored, ...toResponses(ERROR_CODES) },
  };
}

function tokenWebhook({ integration, platform }: IntegrationSource, stored: JsonObject): JsonObject {
  const token = {
    name: 'token',
    in: 'path',
    required: true,
    description: 'Token of one registration, returned when it was created',
    schema: { type: 'string' },
  };
  return {
    operationId: `${integration}.webhook-token`,
    summary: `The same for senders that can neither sign nor set a header: the webhook URL of one registration of ${platform}`,
    tags: [integration],
    security: [],
    parameters: [token, ...signatureParameters(false)],
    requestBody: BODY,
    responses: { '202': stored, ...toResponses([...ERROR_CODES, 'not_found']) },
  };
}

/** Required if the registration says so, which the description cannot express. */
function signatureParameters(isAlways: boolean): JsonObject[] {
  const about = isAlways ? 'Required. ' : 'Required if the registration is signed. ';
  return [
    ['X-SVC-Signature', '`sha256=` and the hex HMAC-SHA256 of `timestamp.nonce.body` under the webhook’s secret'],
    ['X-SVC-Timestamp', 'Unix seconds, at most 300 from the server’s time'],
    ['X-SVC-Nonce', '16 to 64 printable characters, used once'],
  ].map(([name, text]) => ({
    name: name!,
    in: 'header',
    required: false,
    description: about + text,
    schema: { type: 'string' },
  }));
}

const BODY: JsonObject = {
  required: true,
  description: `The platform’s JSON, with any content type. ${describeBodyLimit(BODY_LIMITS.runs)}`,
  content: { 'application/json': {} },
};

function stream({ integration, platform }: IntegrationSource): JsonObject {
  const names = ['connected', ...PLATFORM_EVENTS, 'gap', 'closing'].map((name) => `\`${name}\``).join(', ');
  return {
    operationId: `${integration}.stream`,
    summary: `Server-sent events about runs of ${platform}: ${names}`,
    tags: [integration],
    security: TENANT_SECURITY,
    'x-scope': 'read',
    parameters: [LAST_EVENT_ID],
    responses: {
      '200': EVENT_STREAM,
      ...toResponses(['invalid_query', 'unauthenticated', 'forbidden']),
    },
  };
}
