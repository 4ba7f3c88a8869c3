import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';

/** A text that occurs only in the graph state. */
export interface StatedText {
  by: 'user' | 'agent' | 'system';
  text: string;
  /** Author, if the message names one. */
  name: string | null;
}

/** Fields that contain the request or the role of the run. */
const REQUEST_FIELD =
  /^(?:task|question|query|input|goal|request|topic|instruction|objective|user_?(?:input|query|request|message))$/i;
const INSTRUCTION_FIELD = /^(?:system|system_?(?:prompt|message)|persona|instructions)$/i;
/** Shorter values are names, flags and scores. */
const MIN_TEXT_LENGTH = 20;
/** Fields that control routing or progress. Their values are not messages. */
const CONTROL = /^(?:next|goto|route|status|phase|error|errors)$/i;

/**
 * Texts in the states of a run, by step: messages that were added to a list, and texts that were written to a field. Only
 * for steps without an output of their own.
 */
export const statedTexts = memoizeByRef((trace: Trace): ReadonlyMap<number, readonly StatedText[]> => {
  const texts = new Map<number, StatedText[]>();
  const before = new Map<string, JsonObject>();
  for (const { step, threadId, state } of [...trace.states].sort((a, b) => a.sequence - b.sequence)) {
    if (!isJsonObject(state)) continue;
    const earlier = before.get(threadId ?? '');
    before.set(threadId ?? '', state);
    const { output, outputMessages } = trace.steps[step]!;
    if (output !== '' || outputMessages.length > 0) continue;
    const stated = Object.entries(state).flatMap(([field, value]) =>
      textsOf(field, earlier?.[field], value, earlier === undefined),
    );
    if (stated.length > 0) texts.set(step, [...(texts.get(step) ?? []), ...stated]);
  }
  return texts;
});

function textsOf(field: string, before: Json | undefined, now: Json, isFirst: boolean): StatedText[] {
  if (Array.isArray(now)) {
    const known = Array.isArray(before) ? before.length : 0;
    return now.slice(known).flatMap((item) => messageOf(item) ?? []);
  }
  if (typeof now !== 'string' || now === before || CONTROL.test(field)) return [];
  const by = REQUEST_FIELD.test(field) ? 'user' : INSTRUCTION_FIELD.test(field) ? 'system' : 'agent';
  if (by === 'agent' && now.trim().length < MIN_TEXT_LENGTH) return [];
  // The initial state was written by the caller of the run, unless a node wrote it in the first step.
  return isFirst || by === 'agent' ? [{ by, text: now, name: null }] : [];
}

const ROLES: Record<string, StatedText['by']> = {
  user: 'user',
  human: 'user',
  assistant: 'agent',
  ai: 'agent',
  system: 'system',
};

function messageOf(item: Json): StatedText | null {
  if (!isJsonObject(item) || typeof item.content !== 'string' || item.content === '') return null;
  const role = item.role ?? item.type;
  const by = typeof role === 'string' ? ROLES[role.toLowerCase()] : undefined;
  return by === undefined ? null : { by, text: item.content, name: typeof item.name === 'string' ? item.name : null };
}
