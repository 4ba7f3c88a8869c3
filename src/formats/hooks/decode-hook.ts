import type { Json } from '../../core/json.ts';
import { type Attributes, type Decoded, msToNs, type Span } from '../../core/span.ts';
import type { SessionEnd, StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { textMessage } from '../misstep/text-message.ts';
import { cutText, OTLP_LIMITS } from '../otlp/limits.ts';
import { type HookEvent, readHookEvent } from './hook-event.ts';
import type { HookFramework } from './hook-framework.ts';
import { resultText } from './result-text.ts';
import {
  answerSpanId,
  HOOK_SCOPE,
  promptSpanId,
  sessionRootId,
  sessionTraceId,
  spanIdOf,
  subagentSpanId,
  toolSpanId,
} from './session-span.ts';
import { toolOutcome } from './tool-outcome.ts';

/** Errors of a model call for which a retry does not help. */
const LIMIT_ERRORS: ReadonlySet<string> = new Set(['billing_error', 'max_output_tokens']);
const CHAT = { 'gen_ai.operation.name': 'chat' };
const SCOPE = { name: HOOK_SCOPE, version: '1' };

/**
 * One hook call of a coding agent as spans. A session is a trace with the session as its root span: it starts with the
 * session or a prompt and becomes idle when the agent stops; the next prompt reopens it. The end of a tool, subagent or
 * session has the span id of its start, so that the two are joined in any order. An irrelevant event gives no span and no
 * rejection.
 * @param receivedAtMs Unix milliseconds, used if the sender gives no time
 * @param agent the calling agent, if known; else the form of the record identifies it
 */
export function decodeHook(record: Json, receivedAtMs: number, agent: HookFramework | null = null): Decoded {
  const event = readHookEvent(record, receivedAtMs, agent);
  if (typeof event === 'string') return { spans: [], rejections: [{ pointer: '', message: event }] };
  const spans = [spanOf(event), event.turn === null ? null : rootSpan(event)];
  return { spans: spans.filter((span) => span !== null), rejections: [] };
}

function spanOf(event: HookEvent): Span | null {
  switch (event.kind) {
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
            answerAttributes(event),
          );
    case 'tool_start':
    case 'tool_end':
    case 'tool_failure':
      return toolSpan(event);
    case 'prompt':
      return promptSpan(event);
    case 'answer':
      return event.text === null ? null : momentSpan(event, 'llm', 'answer', { ...CHAT, ...answerAttributes(event) });
    case 'model_failure':
      return momentSpan(event, 'llm', 'chat', CHAT);
    case 'model_start':
    case 'model_part':
      return event.hasNoIds ? momentSpan(event, 'llm', 'chat', CHAT) : null;
    case 'model_call':
      return momentSpan(event, 'llm', 'chat', { ...CHAT, ...resultAsAnswer(event) });
    case 'compaction':
      return momentSpan(event, 'other', 'compaction', { [MISSTEP.compactionTrigger]: event.trigger });
    case 'interruption':
      return momentSpan(event, 'other', 'interruption', {});
    case 'session_start':
    case 'session_end':
    case 'other':
      return null;
  }
}

/** An end event without its start leaves the start unknown. */
function rootSpan(event: HookEvent): Span {
  const times = event.turn === 'begins' ? { endNs: null } : { startNs: 0n };
  const facts = { [MISSTEP.sessionEndedBy]: endedBy(event), ...(event.turn === 'begins' ? environment(event) : {}) };
  const root = makeSpan(event, rootId(event), 'agent', event.framework, { ...times, parentSpanId: null }, facts);
  const isFailed = event.kind === 'model_failure' || event.kind === 'answer';
  return isFailed ? root : { ...root, status: { code: 0, message: '' }, attributes: withoutError(root.attributes) };
}

/** How the session ended if nothing follows; null if the previous event determines it. */
function endedBy(event: HookEvent): SessionEnd | null {
  if (event.turn === 'begins') return 'unknown';
  if (event.kind === 'interruption') return 'interrupted';
  if (event.kind === 'model_failure') return LIMIT_ERRORS.has(event.error?.type ?? '') ? 'limit' : 'api_error';
  if (event.kind !== 'answer') return null;
  return event.error === null ? 'completed' : 'api_error';
}

function environment({ workingDirectory, permissionMode }: HookEvent): Record<string, Json> {
  return { [MISSTEP.sessionProject]: workingDirectory, [MISSTEP.permissionMode]: permissionMode };
}

function withoutError({ 'error.type': _, ...attributes }: Attributes): Attributes {
  return attributes;
}

/** Without an id, a start cannot be distinguished from other calls: only the end creates a span. */
function toolSpan(event: HookEvent): Span | null {
  const isUnnamed = event.toolUseId === null;
  const isStart = event.kind === 'tool_start';
  if (event.toolName === null || (isUnnamed && isStart && !event.hasNoIds)) return null;
  const spanId =
    event.toolUseId === null
      ? momentId(event, ...(isStart ? [event.kind] : []), event.toolName, event.toolInput, event.toolResult)
      : toolSpanId(event.sessionId, event.toolUseId);
  const endNs = isStart ? null : msToNs(event.atMs);
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
      'gen_ai.tool.call.result': event.toolResult === null ? null : resultText(event.toolResult),
      ...toolOutcome(event),
    },
  );
}

/** A span without duration. */
function momentSpan(event: HookEvent, kind: StepKind, name: string, attributes: Record<string, Json>): Span {
  return makeSpan(event, momentId(event, event.kind, event.text, event.toolResult), kind, name, {}, attributes);
}

function promptSpan(event: HookEvent): Span {
  const { promptId } = event;
  const spanId = promptId === null ? momentId(event, event.kind, event.text) : promptSpanId(event.sessionId, promptId);
  return makeSpan(event, spanId, 'message', 'prompt', {}, promptAttributes(event));
}

/** An answer that arrives twice for one prompt is one step; without a prompt id, the time distinguishes answers. */
function momentId(event: HookEvent, ...parts: Json[]): string {
  const { sessionId, agentId, promptId, text } = event;
  if (event.kind === 'answer' && promptId !== null) return answerSpanId(sessionId, agentId, promptId, text ?? '');
  return spanIdOf(sessionId, event.atMs, JSON.stringify([agentId, promptId, ...parts]));
}

function promptAttributes(event: HookEvent): Record<string, Json> {
  return {
    [MISSTEP.task]: event.text,
    'gen_ai.output.messages': event.text === null ? null : textMessage('user', event.text),
  };
}

function answerAttributes(event: HookEvent): Record<string, Json> {
  return { 'gen_ai.output.messages': event.text === null ? null : textMessage('assistant', event.text) };
}

function resultAsAnswer(event: HookEvent): Record<string, Json> {
  const text = event.text ?? (event.toolResult === null ? null : resultText(event.toolResult));
  return { 'gen_ai.output.messages': text === null ? null : textMessage('assistant', text) };
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
    status: event.error === null ? { code: 0, message: '' } : { code: 2, message: bounded(event.error.message) },
    attributes: boundedAttributes({ ...commonAttributes(event, kind), ...attributes }),
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
    [MISSTEP.traceType]: event.traceType,
    [MISSTEP.hookPart]: kind === 'agent' ? null : hookPartOf(event),
    'gen_ai.agent.name': agentName(event),
    'gen_ai.request.model': event.model,
    'gen_ai.usage.input_tokens': event.tokensIn,
    'gen_ai.usage.output_tokens': event.tokensOut,
    'gen_ai.usage.cache_read.input_tokens': event.tokensCached,
    'error.type': event.error?.type ?? null,
  };
}

/** The part of a step in an event without ids: `joinHookParts` finds the other part. */
function hookPartOf(event: HookEvent): 'start' | 'part' | 'end' | null {
  if (!event.hasNoIds) return null;
  if (event.kind === 'model_start') return 'start';
  if (event.kind === 'model_part') return 'part';
  if (event.kind === 'model_call') return 'end';
  if (event.toolName === null || event.toolUseId !== null) return null;
  return event.kind === 'tool_start' ? 'start' : 'end';
}

function agentName(event: HookEvent): string {
  return event.agentType ?? event.agentId ?? event.framework;
}

function rootId(event: HookEvent): string {
  return sessionRootId(event.sessionId);
}

function agentSpanId(event: HookEvent): string {
  return subagentSpanId(event.sessionId, event.agentId ?? '');
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function boundedAttributes(attributes: Record<string, Json>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]): [string, Json][] => {
      if (value === null) return [];
      return [[key, typeof value === 'string' ? bounded(value) : value]];
    }),
  );
}

/** Well-formed text within the limit of OTLP. */
function bounded(text: string): string {
  return cutText(text.toWellFormed(), OTLP_LIMITS.valueLength);
}
