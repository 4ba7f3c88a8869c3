import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { callAttributes } from './call-source.ts';
import { modelAttributes, modelStatus, type Session, spokenAt } from './event-spans.ts';
import { type PluginHook, runIdOf } from './plugin-hook.ts';
import { makeSpan, sessionSpanId } from './session-span.ts';
import { conventional } from './transcript-message.ts';

/**
 * The model calls of a run, with words and tokens, from the conversation that `agent_end` brings. A conversation holds
 * the whole session: messages of runs before are omitted. A message without a time of its own cannot be told from
 * others and is omitted, too.
 */
export function conversationCalls(hook: PluginHook, session: Session, atMs: number): Span[] {
  const { messages } = hook.event;
  const all = (Array.isArray(messages) ? messages : []).filter(isJsonObject);
  const runId = runIdOf(hook);
  const unanswered: Json[] = [];
  const spans: Span[] = [];
  for (const message of all.slice(runStart(all, hook.event, atMs))) {
    const at = spokenAt(message);
    if (message.role !== 'assistant') unanswered.push(conventional(message));
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

/** Where the messages of the run begin: by its duration, else behind the answer before the last prompt. */
function runStart(messages: readonly JsonObject[], { durationMs }: JsonObject, atMs: number): number {
  const prompt = messages.findLastIndex(({ role }) => role === 'user');
  if (typeof durationMs !== 'number' || !(durationMs >= 0)) return Math.max(0, prompt);
  const earliestMs = atMs - durationMs - SLACK_MS;
  const first = messages.findIndex((message) => message.role !== 'user' && (spokenAt(message) ?? 0) >= earliestMs);
  if (first === -1) return Math.max(0, prompt);
  return messages[first - 1]?.role === 'user' ? first - 1 : first;
}
