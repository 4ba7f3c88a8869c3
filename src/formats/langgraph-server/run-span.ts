import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Span, SpanStatus } from '../../core/span.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';

const SCOPE = { name: 'langgraph-server', version: '' };

/** Trace id of a run of a LangGraph server, derived equally from all of its documents. */
export function runTraceId(runId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'langgraph-run', runId);
}

/** Id of the span that represents the whole run. */
export function runSpanId(traceId: string): string {
  return derivedId(SPAN_ID_DIGITS, traceId, 'run');
}

export type SpanParts = Pick<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'name' | 'startNs' | 'endNs'> & {
  status?: SpanStatus;
  attributes: Record<string, Json>;
};

/** Attributes without a value get no key. A clock that went back gives a duration of 0. */
export function makeSpan({ attributes, ...parts }: SpanParts): Span {
  return {
    kind: 1,
    status: { code: 0, message: '' },
    events: [],
    links: [],
    resource: {},
    scope: SCOPE,
    ...parts,
    endNs: endAfter(parts.startNs, parts.endNs),
    attributes: withoutNulls(attributes),
  };
}

export function endAfter(startNs: bigint, endNs: bigint | null): bigint | null {
  return endNs !== null && endNs < startNs ? startNs : endNs;
}

/** Nodes of the runtime and of its prebuilt agents that represent no agent. */
const NO_AGENTS: readonly string[] = ['__start__', '__end__', 'tools', 'tool_node'];

export function isAgentNode(name: string): boolean {
  return !NO_AGENTS.includes(name);
}

const MAX_WRAPPINGS = 3;

function detailsIn(error: Json, wrappings: number): JsonObject {
  if (isJsonObject(error)) {
    const inner = typeof error.message === 'string' ? detailsIn(error.message, wrappings - 1) : {};
    return 'name' in inner || 'error' in inner ? inner : error;
  }
  const parsed = wrappings > 0 && typeof error === 'string' && error.startsWith('{') ? parseJson(error) : undefined;
  return isJsonObject(parsed) && typeof parsed.message === 'string' ? detailsIn(parsed, wrappings) : { message: error };
}

const RECURSION_LIMIT = /^Recursion limit of \d/;

/**
 * Errors are text, `{error, message}`, `{name, message}`, or the text of such an object. The text for a run that exceeded
 * its step limit has no class.
 */
export function errorOf(error: Json): { status: SpanStatus; type: string | null } {
  const details = detailsIn(error, MAX_WRAPPINGS);
  const message = textOf(details.message) ?? textOf(details.error) ?? JSON.stringify(error);
  const named = details.message === undefined ? null : (textOf(details.error) ?? textOf(details.name));
  return {
    status: { code: 2, message },
    type: named ?? (RECURSION_LIMIT.test(message) ? 'GraphRecursionError' : null),
  };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function jsonOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
