import type { Span } from '../../core/span.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';

/** Scopes of what coding agents tell while a session runs: their hooks, and their telemetry's event records. */
export const HOOK_SCOPE = 'misstep.hooks';
export const EVENT_SCOPE = 'misstep.agent-events';

/** Whether a span was told by a session that goes on, so that nobody needs to wait for its end. */
export function isOfSession(span: Span): boolean {
  return span.scope.name === HOOK_SCOPE || span.scope.name === EVENT_SCOPE;
}

/** A session is a trace, whoever tells of it. */
export function sessionTraceId(sessionId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'session', sessionId);
}

export function sessionRootId(sessionId: string): string {
  return derivedId(SPAN_ID_DIGITS, 'session', sessionId);
}

export function toolSpanId(sessionId: string, toolUseId: string): string {
  return derivedId(SPAN_ID_DIGITS, 'session', sessionId, 'tool', toolUseId);
}

/** A user's prompt by the id its agent gave it: hooks and events that tell of it mean one. */
export function promptSpanId(sessionId: string, promptId: string): string {
  return derivedId(SPAN_ID_DIGITS, 'session', sessionId, 'prompt', promptId);
}

export function spanIdOf(sessionId: string, ...parts: readonly (string | number)[]): string {
  return derivedId(SPAN_ID_DIGITS, 'session', sessionId, ...parts);
}
