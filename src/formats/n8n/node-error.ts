import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Attributes, msToNs, type SpanEvent, type SpanStatus } from '../../core/span.ts';
import { failureSettingsOf } from './failure-settings.ts';
import { idOf, textOrNull, timeOf } from './json-fields.ts';

/** An n8n error as a span error. The request in it, with its headers, is dropped. */
export interface NodeError {
  status: SpanStatus;
  attributes: Attributes;
  events: SpanEvent[];
}

const NO_ERROR: NodeError = { status: { code: 0, message: '' }, attributes: {}, events: [] };

/**
 * @param wasRetried only then are `messages` those of the attempts; they become `attempt` events
 * @param atMs Unix milliseconds, if the error has no time of its own
 */
export function readNodeError(error: JsonObject | null, wasRetried: boolean, atMs: number): NodeError {
  if (error === null || isStopped(error)) return NO_ERROR;
  const attempts = wasRetried ? textsOf(error.messages) : [];
  const timeNs = msToNs(timeOf(error.timestamp) ?? atMs);
  const type = typeOf(error);
  return {
    status: { code: 2, message: messageOf(error) },
    attributes: {
      ...(type === null ? {} : { 'error.type': type }),
      ...(attempts.length > 1 ? { 'n8n.attempts': attempts.length } : {}),
    },
    events: attempts.map((message) => ({ name: 'attempt', timeNs, attributes: { 'error.message': message } })),
  };
}

/** Whether someone stopped the execution, or the server shut down: the workflow did not fail. */
function isStopped({ name, message }: JsonObject): boolean {
  if (name === 'ManualExecutionCancelledError' || name === 'SystemShutdownExecutionCancelledError') return true;
  return typeof message === 'string' && /^The execution was cancelled (?:manually|because the system)/.test(message);
}

/** An HTTP status or a system error code is more specific than the class. */
function typeOf(error: JsonObject): string | null {
  return idOf(error.httpCode) ?? textOrNull(error.name);
}

/** n8n rewords errors for people and stores the original message of the service, or of the failed code, next to them. */
function messageOf(error: JsonObject): string {
  const message = textOrNull(error.message) ?? textOrNull(error.name) ?? PLACEHOLDER_ERROR.n8nNode;
  const { cause } = error;
  const first = isJsonObject(cause) ? textOrNull(cause.message) : null;
  const details = [textOrNull(error.description), textsOf(error.messages).at(-1) ?? null, first];
  const more = details.find((detail) => detail !== null && !message.includes(detail));
  return more === undefined ? message : `${message} (${more})`;
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.flatMap((item) => textOrNull(item) ?? []) : [];
}

/** The node that an error names as its source; its settings are null if the error contains no node. */
export function nodeOfError(error: JsonObject): {
  name: string | null;
  type: string;
  failureSettings: ReturnType<typeof failureSettingsOf> | null;
} {
  const node = isJsonObject(error.node) ? error.node : {};
  return {
    name: textOrNull(node.name),
    type: textOrNull(node.type) ?? '',
    failureSettings: isJsonObject(error.node) ? failureSettingsOf(node) : null,
  };
}
