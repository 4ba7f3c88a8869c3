import type { Json } from '../../core/json.ts';
import { type Attributes, type Decoded, msToNs, type Span } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { type HookEvent, readHookEvent } from './hook-event.ts';

const SCOPE = { name: 'misstep.hooks', version: '1' };

export function sessionTraceId(sessionId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'session', sessionId);
}

/**
 * One hook call of a coding agent as the span it tells of. A session is a trace, its root span the session itself.
 * The end of a tool, subagent or session has the span id of its beginning, so that the later record replaces the earlier.
 * An event without meaning for a trace gives no span and no refusal.
 *
 * @param receivedAtMs Unix milliseconds, used where the sender gives no time
 */
export function decodeHook(record: Json, receivedAtMs: number): Decoded {
  const event = readHookEvent(record, receivedAtMs);
  if (typeof event === 'string') return { spans: [], refusals: [{ pointer: '', message: event }] };
  const span = spanOf(event);
  return { spans: span === null ? [] : [span], refusals: [] };
}

function spanOf(event: HookEvent): Span | null {
  switch (event.kind) {
    case 'session_start':
      return makeSpan(event, rootId(event), 'agent', event.framework, { endNs: null, parentSpanId: null });
    case 'session_end':
      // When it began is not said again: the start stays unknown unless the beginning is at hand.
      return makeSpan(event, rootId(event), 'agent', event.framework, { startNs: 0n, parentSpanId: null });
    case 'agent_start':
      return event.agentId === null
        ? null
        : makeSpan(event, agentSpanId(event), 'agent', agentName(event), { endNs: null, parentSpanId: rootId(event) });
    case 'agent_end':
      return event.agentId === null
        ? null
        : makeSpan(
            event,
            agentSpanId(event),
            'agent',
            agentName(event),
            { startNs: 0n, parentSpanId: rootId(event) },
            answered(event),
          );
    case 'tool_start':
    case 'tool_end':
    case 'tool_failure':
      return toolSpan(event);
    case 'prompt':
      return momentSpan(event, 'message', 'prompt', asked(event));
    case 'answer':
      return momentSpan(event, 'message', 'answer', answered(event));
    case 'model_failure':
      return momentSpan(event, 'llm', 'chat', { 'gen_ai.operation.name': 'chat' });
    case 'model_call':
      return momentSpan(event, 'llm', 'chat', { 'gen_ai.operation.name': 'chat', ...resultAsAnswer(event) });
    case 'compaction':
      return momentSpan(event, 'other', 'compaction', {});
    case 'interruption':
      return momentSpan(event, 'other', 'interruption', {});
    case 'other':
      return null;
  }
}

/** Without an id the beginning cannot be told from its neighbours: then only the end makes a span. */
function toolSpan(event: HookEvent): Span | null {
  if (event.toolName === null || (event.toolUseId === null && event.kind === 'tool_start')) return null;
  const spanId =
    event.toolUseId === null
      ? momentId(event, event.toolName, event.toolInput, event.toolResult)
      : derivedId(SPAN_ID_DIGITS, 'session', event.sessionId, 'tool', event.toolUseId);
  const endNs = event.kind === 'tool_start' ? null : msToNs(event.atMs);
  return makeSpan(
    event,
    spanId,
    'tool',
    event.toolName,
    { endNs },
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': event.toolName,
      'gen_ai.tool.call.id': event.toolUseId,
      'gen_ai.tool.call.arguments': event.toolInput === null ? null : textOf(event.toolInput),
      'gen_ai.tool.call.result': event.toolResult === null ? null : textOf(event.toolResult),
    },
  );
}

/** Something that takes no time. */
function momentSpan(event: HookEvent, kind: StepKind, name: string, attributes: Record<string, Json>): Span {
  return makeSpan(event, momentId(event, event.kind, event.text, event.toolResult), kind, name, {}, attributes);
}

function momentId(event: HookEvent, ...parts: Json[]): string {
  const said = JSON.stringify([event.agentId, event.promptId, ...parts]);
  return derivedId(SPAN_ID_DIGITS, 'session', event.sessionId, event.atMs, said);
}

function asked(event: HookEvent): Record<string, Json> {
  return {
    [MISSTEP.task]: event.text,
    'gen_ai.output.messages': event.text === null ? null : message('user', event.text),
  };
}

function answered(event: HookEvent): Record<string, Json> {
  return { 'gen_ai.output.messages': event.text === null ? null : message('assistant', event.text) };
}

function resultAsAnswer(event: HookEvent): Record<string, Json> {
  const text = event.text ?? (event.toolResult === null ? null : textOf(event.toolResult));
  return { 'gen_ai.output.messages': text === null ? null : message('assistant', text) };
}

function makeSpan(
  event: HookEvent,
  spanId: string,
  kind: StepKind,
  name: string,
  times: Partial<Pick<Span, 'startNs' | 'endNs' | 'parentSpanId'>>,
  attributes: Record<string, Json> = {},
): Span {
  return {
    traceId: sessionTraceId(event.sessionId),
    spanId,
    parentSpanId: event.agentId === null ? rootId(event) : agentSpanId(event),
    name,
    kind: 1,
    startNs: msToNs(Math.max(event.atMs - (event.durationMs ?? 0), 0)),
    endNs: msToNs(event.atMs),
    ...times,
    status: event.error === null ? { code: 0, message: '' } : { code: 2, message: event.error.message },
    attributes: present({ ...commonAttributes(event, kind), ...attributes }),
    events: [],
    links: [],
    resource: {},
    scope: SCOPE,
  };
}

function commonAttributes(event: HookEvent, kind: StepKind): Record<string, Json> {
  return {
    [MISSTEP.stepKind]: kind,
    [MISSTEP.framework]: event.framework,
    [MISSTEP.sessionId]: event.sessionId,
    [MISSTEP.workingDirectory]: event.workingDirectory,
    [MISSTEP.costUsd]: event.costUsd,
    'gen_ai.agent.name': agentName(event),
    'gen_ai.request.model': event.model,
    'gen_ai.usage.input_tokens': event.tokensIn,
    'gen_ai.usage.output_tokens': event.tokensOut,
    'error.type': event.error?.type ?? null,
  };
}

function agentName(event: HookEvent): string {
  return event.agentType ?? event.agentId ?? event.framework;
}

function rootId(event: HookEvent): string {
  return derivedId(SPAN_ID_DIGITS, 'session', event.sessionId);
}

function agentSpanId(event: HookEvent): string {
  return derivedId(SPAN_ID_DIGITS, 'session', event.sessionId, 'agent', event.agentId ?? '');
}

function message(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function present(attributes: Record<string, Json>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}
