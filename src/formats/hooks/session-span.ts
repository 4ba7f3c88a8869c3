import { EVENT_SCOPE, HOOK_SCOPE } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';

export { EVENT_SCOPE, HOOK_SCOPE };

/** Whether a span belongs to a session that may continue, so that no one waits for its end. */
export function isOfSession(span: Span): boolean {
  return span.scope.name === HOOK_SCOPE || span.scope.name === EVENT_SCOPE;
}

/** A session is one trace, whichever of its transcript, hooks and log events are imported. */
export function sessionTraceId(sessionId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'session', sessionId);
}

export function sessionRootId(sessionId: string): string {
  return derivedId(SPAN_ID_DIGITS, 'session', sessionId);
}

export function toolSpanId(sessionId: string, toolUseId: string): string {
  return spanIdOf(sessionId, 'tool', toolUseId);
}

/** @param promptId the agent's id of the user prompt */
export function promptSpanId(sessionId: string, promptId: string): string {
  return spanIdOf(sessionId, 'prompt', promptId);
}

/** @param callId id of the model request if the source has one, else id of the model's message */
export function modelCallSpanId(sessionId: string, callId: string): string {
  return spanIdOf(sessionId, 'model', callId);
}

/** @param agentId id of the answering subagent, null for the session's own agent */
export function answerSpanId(sessionId: string, agentId: string | null, promptId: string, words: string): string {
  return spanIdOf(sessionId, 'answer', agentId ?? '', promptId, words);
}

/** @param agentId id of a subagent within the session */
export function subagentSpanId(sessionId: string, agentId: string): string {
  return spanIdOf(sessionId, 'agent', agentId);
}

/** Id of a step that only one source reports, or that has no id of its own: `parts` identify it within the session. */
export function spanIdOf(sessionId: string, ...parts: readonly (string | number)[]): string {
  return derivedId(SPAN_ID_DIGITS, 'session', sessionId, ...parts);
}
