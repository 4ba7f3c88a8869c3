import { EVENT_SCOPE, HOOK_SCOPE } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';

export { EVENT_SCOPE, HOOK_SCOPE };

/** Whether a span was told by a session that goes on, so that no one needs to wait for its end. */
export function isOfSession(span: Span): boolean {
  return span.scope.name === HOOK_SCOPE || span.scope.name === EVENT_SCOPE;
}

/** A session is one trace, whichever of its transcript, hooks and log events are read. */
export function sessionTraceId(sessionId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'session', sessionId);
}

export function sessionRootId(sessionId: string): string {
  return derivedId(SPAN_ID_DIGITS, 'session', sessionId);
}

export function toolSpanId(sessionId: string, toolUseId: string): string {
  return spanIdOf(sessionId, 'tool', toolUseId);
}

/** @param promptId id that the agent gave the user's prompt */
export function promptSpanId(sessionId: string, promptId: string): string {
  return spanIdOf(sessionId, 'prompt', promptId);
}

/** @param callId id of the request to the model where the source has one, else id of the model's message */
export function modelCallSpanId(sessionId: string, callId: string): string {
  return spanIdOf(sessionId, 'model', callId);
}

/** @param agentId id of the subagent that answered, null for the session's own agent */
export function answerSpanId(sessionId: string, agentId: string | null, promptId: string, words: string): string {
  return spanIdOf(sessionId, 'answer', agentId ?? '', promptId, words);
}

/** @param agentId id of a subagent within the session */
export function subagentSpanId(sessionId: string, agentId: string): string {
  return spanIdOf(sessionId, 'agent', agentId);
}

/** A step that only one source knows, or that has no id of its own: `parts` name it within the session. */
export function spanIdOf(sessionId: string, ...parts: readonly (string | number)[]): string {
  return derivedId(SPAN_ID_DIGITS, 'session', sessionId, ...parts);
}
