import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { nsToMs, type Span, type SpanStatus } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { PlacedRejections } from '../misstep/rejected-records.ts';
import { callAttributes } from './call-source.ts';
import { makeSpan, sessionSpanId } from './session-span.ts';
import { textIn } from './text-in.ts';
import { callsIn, contentText, toConventionMessage, usageAttributes } from './transcript-message.ts';

/** State of a session while its events are read. */
export interface Session {
  id: string;
  /** `agent:<id>:main`, `agent:<id>:<channel>:group:<gid>`, `cron:<job>`, `hook:<uuid>`; null if not reported. */
  key: string | null;
  /** Agent, if it is sent separately from the key. */
  agent: string | null;
  /** Messages since the last model call, in the format of the conventions. */
  unanswered: Json[];
  /** Whether the last model call failed: the end of its run repeats that failure. */
  hasFailedCall: boolean;
  /** Time of the first event that was read, and the newest time of those read so far, Unix nanoseconds. */
  firstReadNs: bigint | null;
  readUntilNs: bigint | null;
  rejected: PlacedRejections;
}

export function newSession(id: string): Session {
  return {
    id,
    key: null,
    agent: null,
    unanswered: [],
    hasFailedCall: false,
    firstReadNs: null,
    readUntilNs: null,
    rejected: new PlacedRejections(),
  };
}

/**
 * The part of the session's root that states how many events were rejected; none if none was rejected. A body without an
 * event that was read is refused as a whole and leaves no run behind.
 */
export function rejectionMark(session: Session): Span[] {
  const attributes = session.rejected.attributes(session.firstReadNs);
  if (session.readUntilNs === null || Object.keys(attributes).length === 0) return [];
  const root = sessionPart(session, { startMs: null, endMs: nsToMs(session.readUntilNs) }, {});
  Object.assign(root.attributes, attributes);
  return [root];
}

/** Spans, or parts of spans, of one transcript event; parts are merged by id. */
export function transcriptSpans(event: JsonObject, session: Session, atMs: number): Span[] {
  const root = sessionPart(session, { startMs: event.type === 'session' ? atMs : null, endMs: atMs }, event);
  return [root, ...spansBelow(event, session, atMs)];
}

/** Every event extends the session's end; only the first event contains its start. */
export function sessionPart(
  session: Session,
  times: { startMs: number | null; endMs: number | null },
  event: JsonObject,
): Span {
  const agent = /^agent:([^:]+)/.exec(session.key ?? '')?.[1] ?? session.agent;
  return makeSpan(
    session.id,
    { spanId: sessionSpanId(session.id), kind: 'agent', name: 'openclaw', isRoot: true, ...times },
    {
      [MISSTEP.sessionId]: session.id,
      [MISSTEP.workingDirectory]: textIn(event, 'cwd'),
      'gen_ai.agent.name': agent,
      'openclaw.session.key': session.key,
    },
  );
}

function spansBelow(event: JsonObject, session: Session, atMs: number): Span[] {
  const spanId = sessionSpanId(session.id, event.id as string);
  if (event.type === 'compaction' || event.type === 'reset' || event.type === 'branch_summary') {
    session.unanswered = [];
    const parts = { spanId, kind: 'other' as const, name: event.type, startMs: atMs, endMs: atMs };
    return [makeSpan(session.id, parts, { 'output.value': textIn(event, 'summary') })];
  }
  const { message } = event;
  if (event.type !== 'message' || !isJsonObject(message)) return [];
  if (message.role === 'user') return [userSpan(message, session, spanId, atMs)];
  if (message.role === 'assistant') return modelSpans(message, session, spanId, atMs);
  return message.role === 'toolResult' ? toolEnd(message, session, atMs) : [];
}

function userSpan(message: JsonObject, session: Session, spanId: string, atMs: number): Span {
  session.unanswered.push(toConventionMessage(message));
  const text = contentText(message.content);
  return makeSpan(
    session.id,
    { spanId, kind: 'message', name: 'prompt', startMs: atMs, endMs: atMs },
    {
      [MISSTEP.task]: text === '' ? null : text,
      'gen_ai.output.messages': JSON.stringify([toConventionMessage(message)]),
    },
  );
}

/** The model call, and the starts of the tool calls it requested. */
function modelSpans(message: JsonObject, session: Session, spanId: string, atMs: number): Span[] {
  const began = messageTimeOf(message) ?? atMs;
  const input = session.unanswered.splice(0);
  session.hasFailedCall = message.stopReason === 'error';
  const model = makeSpan(
    session.id,
    { spanId, kind: 'llm', name: 'chat', startMs: Math.min(began, atMs), endMs: atMs, status: modelStatus(message) },
    { ...callAttributes('transcript', runIdIn(message), messageTimeOf(message)), ...modelAttributes(message, input) },
  );
  const tools = callsIn(message.content).map((call) =>
    makeSpan(
      session.id,
      { spanId: toolSpanId(session, call.id), kind: 'tool', name: call.name, startMs: atMs, endMs: null },
      {
        ...toolIdentity(call.name, call.id),
        'gen_ai.tool.call.arguments': textOf(call.arguments),
      },
    ),
  );
  return [model, ...tools];
}

/** @param input messages to the model since its previous call, in the format of the conventions */
export function modelAttributes(message: JsonObject, input: readonly Json[]): Record<string, Json> {
  const stopReason = textIn(message, 'stopReason');
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': textIn(message, 'provider'),
    'gen_ai.request.model': textIn(message, 'model'),
    'gen_ai.response.model': textIn(message, 'responseModel'),
    'gen_ai.input.messages': input.length === 0 ? null : JSON.stringify(input),
    'gen_ai.output.messages': JSON.stringify([toConventionMessage(message)]),
    'gen_ai.response.finish_reasons': stopReason === null ? null : [stopReason],
    ...usageAttributes(message.usage),
  };
}

/** The message's own time, Unix milliseconds. */
export function messageTimeOf({ timestamp }: JsonObject): number | null {
  return typeof timestamp === 'number' && timestamp > 0 && timestamp < 1e14 ? timestamp : null;
}

function runIdIn(message: JsonObject): string | null {
  return isJsonObject(message.__openclaw) ? textIn(message.__openclaw, 'runId') : null;
}

/** A call that the user stopped did not fail. */
export function modelStatus(message: JsonObject): SpanStatus {
  if (message.stopReason !== 'error') return { code: 0, message: '' };
  return { code: 2, message: textIn(message, 'errorMessage') ?? PLACEHOLDER_ERROR.model };
}

function toolEnd(message: JsonObject, session: Session, atMs: number): Span[] {
  session.unanswered.push(toConventionMessage(message));
  const id = textIn(message, 'toolCallId');
  const name = textIn(message, 'toolName');
  if (id === null || name === null) return [];
  const text = contentText(message.content);
  const hasFailed = message.isError === true;
  return [
    makeSpan(
      session.id,
      {
        spanId: toolSpanId(session, id),
        kind: 'tool',
        name,
        startMs: null,
        endMs: atMs,
        status: hasFailed ? { code: 2, message: errorIn(message) ?? text } : { code: 0, message: '' },
      },
      {
        ...toolIdentity(name, id),
        'gen_ai.tool.call.result': text,
        'error.type': hasFailed ? 'tool_error' : null,
      },
    ),
  ];
}

/** The tool's error message, which a plugin hook also contains. */
function errorIn({ details }: JsonObject): string | null {
  return isJsonObject(details) ? textIn(details, 'error') : null;
}

export function toolSpanId(session: Session, callId: string): string {
  return sessionSpanId(session.id, 'tool', callId);
}

export function toolIdentity(name: string, id: string): Record<string, Json> {
  return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': id };
}

export function textOf(value: Json): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
