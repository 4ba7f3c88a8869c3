import { PLACEHOLDER_ERROR, writtenError } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Span, SpanStatus } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { callAttributes } from './call-source.ts';
import { conversationCalls } from './conversation-calls.ts';
import { type Session, sessionPart, textOf, toolIdentity, toolSpanId } from './event-spans.ts';
import { type PluginHook, readPluginHook, runIdOf } from './plugin-hook.ts';
import { makeSpan, markEnded, type SpanParts, sessionSpanId } from './session-span.ts';
import { textIn } from './text-in.ts';
import { contentText, usageAttributes } from './transcript-message.ts';

/** Spans, or parts of spans, of one plugin hook call; a transcript of the same session extends them. */
export function hookSpans(value: JsonObject, session: Session, atMs: number): Span[] {
  const hook = readPluginHook(value);
  const { name, event, ctx } = hook;
  session.agent ??= textIn(ctx, 'agentId');
  // A session that starts has no end yet: repeated later, it must not cut off newer events.
  const times = name === 'session_start' ? { startMs: atMs, endMs: null } : { startMs: null, endMs: atMs };
  const root = sessionPart(session, times, event);
  const reason = name === 'session_end' ? textIn(event, 'reason') : null;
  if (reason !== null) root.attributes['openclaw.session.end_reason'] = reason;
  if (name === 'session_end') markEnded(root);
  const childSpan = spanOf(hook, session, atMs);
  const calls = name === 'agent_end' ? conversationCalls(hook, session, atMs) : [];
  return [root, ...calls, ...(childSpan === null ? [] : [childSpan])];
}

function spanOf(hook: PluginHook, session: Session, atMs: number): Span | null {
  switch (hook.name) {
    case 'llm_input':
      return modelStart(hook, session, atMs);
    case 'llm_output':
      return modelEnd(hook, session, atMs);
    case 'model_call_ended':
      return measuredCall(hook, session, atMs);
    case 'before_tool_call':
    case 'after_tool_call':
      return toolPart(hook, session, atMs);
    case 'agent_end':
      return failedRun(hook, session, atMs);
    case 'subagent_spawned':
    case 'subagent_ended':
      return subagentPart(hook, session, atMs);
    case 'message_received':
    case 'message_sent':
      return messageSpan(hook, session, atMs);
    default:
      return null;
  }
}

type Parts = Omit<SpanParts, 'spanId'>;

function childSpan(session: Session, id: string[], parts: Parts, attributes: Record<string, Json>): Span {
  return makeSpan(session.id, { spanId: sessionSpanId(session.id, ...id), ...parts }, attributes);
}

/** OpenClaw calls `llm_input` and `llm_output` once for all model calls of a run. */
function modelId(hook: PluginHook, atMs: number): string[] {
  return ['model', runIdOf(hook) ?? String(atMs)];
}

/** `[Sun 2026-11-22 09:36 UTC] Water the beds`: OpenClaw writes the time before user messages. */
const TIME_PREFIX = /^\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d[^\]\n]{0,40}\] /;

function modelStart(hook: PluginHook, session: Session, atMs: number): Span {
  const { event } = hook;
  const system = textIn(event, 'systemPrompt');
  const prompt = textIn(event, 'prompt')?.replace(TIME_PREFIX, '') ?? null;
  const messages = [
    ...(system ? [textMessageOf('system', system)] : []),
    ...(prompt ? [textMessageOf('user', prompt)] : []),
  ];
  return childSpan(
    session,
    modelId(hook, atMs),
    { kind: 'llm', name: 'chat', startMs: atMs, endMs: null },
    {
      ...modelIdentity(event),
      ...callAttributes('run', runIdOf(hook)),
      [MISSTEP.task]: prompt,
      'gen_ai.input.messages': messages.length === 0 ? null : JSON.stringify(messages),
    },
  );
}

function modelEnd(hook: PluginHook, session: Session, atMs: number): Span {
  const { event } = hook;
  const texts = Array.isArray(event.assistantTexts) ? event.assistantTexts : [];
  const answer = texts.filter((text) => typeof text === 'string').join('\n');
  return childSpan(
    session,
    modelId(hook, atMs),
    { kind: 'llm', name: 'chat', startMs: null, endMs: atMs },
    {
      ...modelIdentity(event),
      ...callAttributes('run', runIdOf(hook)),
      'gen_ai.output.messages': answer === '' ? null : JSON.stringify([textMessageOf('assistant', answer)]),
      ...usageAttributes(isJsonObject(event.usage) ? { ...event.usage, totalTokens: event.usage.total ?? null } : null),
    },
  );
}

function textMessageOf(role: string, content: string): Json {
  return { role, parts: [{ type: 'text', content }] };
}

function modelIdentity(event: JsonObject): Record<string, Json> {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': textIn(event, 'provider'),
    'gen_ai.request.model': textIn(event, 'model'),
  };
}

/** One model call: its duration and whether it failed. Its text and tokens arrive with other hooks. */
function measuredCall(hook: PluginHook, session: Session, atMs: number): Span {
  const { event } = hook;
  const hasFailed = event.outcome === 'error';
  const type = textIn(event, 'failureKind', 'errorCategory') ?? 'error';
  return childSpan(
    session,
    ['call', textIn(event, 'callId') ?? String(atMs)],
    {
      kind: 'llm',
      name: 'chat',
      ...timesEndingAt(event, atMs),
      status: hasFailed ? errorStatus(writtenError('modelCall', type)) : OPEN,
    },
    {
      ...modelIdentity(event),
      ...callAttributes('measured', runIdOf(hook)),
      'error.type': hasFailed ? type : null,
    },
  );
}

function toolPart({ name: hook, event, ctx }: PluginHook, session: Session, atMs: number): Span | null {
  const tool = textIn(event, 'toolName') ?? textIn(ctx, 'toolName');
  const callId = textIn(event, 'toolCallId') ?? textIn(ctx, 'toolCallId');
  const isEnd = hook === 'after_tool_call';
  // Without an id, a start cannot be assigned to a call; the end contains all facts.
  if (tool === null || (callId === null && !isEnd)) return null;
  const error = textIn(event, 'error');
  const id = callId ?? `${tool} ${atMs}`;
  const times =
    callId === null ? timesEndingAt(event, atMs) : { startMs: isEnd ? null : atMs, endMs: isEnd ? atMs : null };
  return makeSpan(
    session.id,
    {
      spanId: toolSpanId(session, id),
      kind: 'tool',
      name: tool,
      ...times,
      status: error === null ? OPEN : errorStatus(error),
    },
    {
      ...toolIdentity(tool, id),
      'gen_ai.tool.call.arguments': textOf(event.params ?? null),
      'gen_ai.tool.call.result': isEnd ? (resultText(event.result) ?? error) : null,
      'error.type': error === null ? null : 'tool_error',
    },
  );
}

/** The text of the result's content, as in a transcript; any other result as JSON. */
function resultText(result: Json | undefined): string | null {
  const text = isJsonObject(result) ? contentText(result.content) : '';
  return text === '' ? textOf(result ?? null) : text;
}

function failedRun(hook: PluginHook, session: Session, atMs: number): Span | null {
  const { event } = hook;
  if (event.success !== false || wasStopped(event)) return null;
  const message = textIn(event, 'error') ?? PLACEHOLDER_ERROR.run;
  return childSpan(
    session,
    ['run', runIdOf(hook) ?? String(atMs)],
    { kind: 'chain', name: 'run', ...timesEndingAt(event, atMs), status: errorStatus(message) },
    { 'error.type': 'error' },
  );
}

/** Whether a person or a signal stopped the run: it did not fail. */
function wasStopped(event: JsonObject): boolean {
  const last = Array.isArray(event.messages) ? event.messages.at(-1) : undefined;
  return event.error === undefined && isJsonObject(last) && last.stopReason === 'aborted';
}

const WELL_ENDED = new Set(['ok', 'reset', 'deleted']);

function subagentPart({ name: hook, event, ctx }: PluginHook, session: Session, atMs: number): Span | null {
  const child = textIn(event, 'childSessionKey', 'targetSessionKey') ?? textIn(ctx, 'childSessionKey');
  if (child === null) return null;
  const isEnd = hook === 'subagent_ended';
  const agent = textIn(event, 'agentId') ?? /^agent:([^:]+)/.exec(child)?.[1] ?? null;
  const outcome = isEnd ? (textIn(event, 'outcome') ?? 'ok') : 'ok';
  const hasFailed = !WELL_ENDED.has(outcome);
  const endMs = typeof event.endedAt === 'number' && event.endedAt > 0 ? event.endedAt : atMs;
  return childSpan(
    session,
    ['subagent', child],
    {
      kind: 'agent',
      name: agent ?? 'subagent',
      startMs: isEnd ? null : atMs,
      endMs: isEnd ? endMs : null,
      status: hasFailed
        ? errorStatus(textIn(event, 'error') ?? writtenError('subagentEnded', outcome))
        : isEnd
          ? WELL
          : OPEN,
    },
    {
      'gen_ai.agent.name': agent,
      'openclaw.session.child_key': child,
      'input.value': textIn(event, 'label'),
      'error.type': hasFailed ? outcome : null,
    },
  );
}

function messageSpan({ name: hook, event }: PluginHook, session: Session, atMs: number): Span | null {
  const content = textIn(event, 'content');
  const isSent = hook === 'message_sent';
  const hasFailed = isSent && event.success === false;
  // The sent message is already in the model's answer.
  if (isSent ? !hasFailed : content === null) return null;
  return childSpan(
    session,
    [hook, textIn(event, 'messageId') ?? String(atMs)],
    {
      kind: 'message',
      name: isSent ? 'delivery' : 'prompt',
      startMs: atMs,
      endMs: atMs,
      status: hasFailed ? errorStatus(textIn(event, 'error') ?? PLACEHOLDER_ERROR.delivery) : OPEN,
    },
    isSent
      ? { 'error.type': 'delivery' }
      : { [MISSTEP.task]: content, 'gen_ai.output.messages': JSON.stringify([textMessageOf('user', content!)]) },
  );
}

const OPEN: SpanStatus = { code: 0, message: '' };
const WELL: SpanStatus = { code: 1, message: '' };

function errorStatus(message: string): SpanStatus {
  return { code: 2, message };
}

function timesEndingAt(event: JsonObject, atMs: number): { startMs: number; endMs: number } {
  const { durationMs } = event;
  const lastedMs = typeof durationMs === 'number' && durationMs > 0 && durationMs < atMs ? durationMs : 0;
  return { startMs: atMs - lastedMs, endMs: atMs };
}
