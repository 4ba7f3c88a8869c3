import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { callAttributes } from './call-source.ts';
import { messageTimeOf, modelAttributes, modelStatus, type Session } from './event-spans.ts';
import { type PluginHook, runIdOf } from './plugin-hook.ts';
import { makeSpan, sessionSpanId } from './session-span.ts';
import { toConventionMessage } from './transcript-message.ts';

/**
 * The model calls of a run, with texts and tokens, from the conversation in `agent_end`. A conversation contains the whole
 * session: messages of earlier runs are omitted, and so are messages without a time, which cannot be distinguished.
 */
export function conversationCalls(hook: PluginHook, session: Session, atMs: number): Span[] {
  const { messages } = hook.event;
  const all = (Array.isArray(messages) ? messages : []).filter(isJsonObject);
  const runId = runIdOf(hook);
  const unanswered: Json[] = [];
  const spans: Span[] = [];
  for (const message of all.slice(runStart(all, hook.event, atMs))) {
    const at = messageTimeOf(message);
    if (message.role !== 'assistant') unanswered.push(toConventionMessage(message));
    else if (at !== null) {
      const status = modelStatus(message);
      const parts = {
        spanId: sessionSpanId(session.id, 'said', String(at)),
        kind: 'llm' as const,
        name: 'chat',
        status,
      };
      const attributes = modelAttributes(message, unanswered.splice(0));
      spans.push(
        makeSpan(
          session.id,
          { ...parts, startMs: at, endMs: at },
          { ...callAttributes('conversation', runId, at), ...attributes },
        ),
      );
    }
  }
  return spans;
}

const SLACK_MS = 1_000;

/** Position of the run's first message: by its duration, else after the answer before the last prompt. */
function runStart(messages: readonly JsonObject[], { durationMs }: JsonObject, atMs: number): number {
  const prompt = messages.findLastIndex(({ role }) => role === 'user');
  if (typeof durationMs !== 'number' || !(durationMs >= 0)) return Math.max(0, prompt);
  const earliestMs = atMs - durationMs - SLACK_MS;
  const first = messages.findIndex((message) => message.role !== 'user' && (messageTimeOf(message) ?? 0) >= earliestMs);
  if (first === -1) return Math.max(0, prompt);
  return messages[first - 1]?.role === 'user' ? first - 1 : first;
}
