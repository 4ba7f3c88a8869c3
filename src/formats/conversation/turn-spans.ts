import { canonicalJson, type Json } from '../../core/json.ts';
import { type Attributes, msToNs, type Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';
import { messages, textPart, toolAttributes } from '../records/step-attributes.ts';
import type { ReadConversation, ReadTurn } from './conversation.ts';

const SCOPE = { name: 'misstep.conversation', version: '1' };
/** Gap between turns without times, which keeps the order. */
const GAP_NS = 1000n;
const TASK_CHARACTERS = 20_000;

/**
 * One span per turn, in order: the span of turn N is step N of the trace. The first turn is the parent of the others. Turns
 * without a usable time follow the previous turn; their times are marked as synthetic.
 * @param receivedAtMs Unix milliseconds, for a start without a time
 */
export function turnSpans(conversation: ReadConversation, receivedAtMs: number): Span[] {
  const traceId = traceIdOf(conversation);
  const rootId = derivedId(SPAN_ID_DIGITS, 'turn', traceId, 0);
  let clockNs = firstNs(conversation.turns) ?? msToNs(receivedAtMs);
  let lastKnownNs = 0n;
  return conversation.turns.map((turn, at) => {
    const isKnown = turn.atNs !== null && turn.atNs >= lastKnownNs;
    if (isKnown) lastKnownNs = turn.atNs!;
    const startNs = isKnown && turn.atNs! > clockNs ? turn.atNs! : clockNs;
    clockNs = startNs + GAP_NS;
    return {
      traceId,
      spanId: at === 0 ? rootId : derivedId(SPAN_ID_DIGITS, 'turn', traceId, at),
      parentSpanId: at === 0 ? null : rootId,
      name: turn.answered?.name ?? turn.role,
      kind: 1,
      startNs,
      endNs: startNs,
      status: turn.isError ? { code: 2, message: turn.content } : { code: 0, message: '' },
      attributes: {
        ...(at === 0 ? outlineAttributes(conversation) : {}),
        ...turnAttributes(turn, at),
        ...(isKnown ? {} : { [MISSTEP.isTimeSynthetic]: true }),
      },
      events: [],
      links: [],
      resource: {},
      scope: SCOPE,
    };
  });
}

/** The trace id as sent, or derived from the conversation's name or content, so that repeated imports give the same trace. */
export function traceIdOf({ traceId, name, format, turns }: ReadConversation): string {
  if (traceId !== null) return /^[0-9A-F]{32}$/i.test(traceId) ? traceId.toLowerCase() : traceId;
  if (name !== null) return derivedId(TRACE_ID_DIGITS, 'conversation', name);
  const content = turns.map(({ role, participant, content, toolCalls, answered }): Json => {
    return [role, participant, content, toolCalls.map(plain), answered === null ? null : plain(answered)];
  });
  return derivedId(TRACE_ID_DIGITS, 'conversation', format, canonicalJson(content));
}

function plain({ id, name, arguments: given }: ReadTurn['toolCalls'][number]): Json {
  return [id, name, given];
}

/** Start time before the first known time that keeps earlier turns without times in order. */
function firstNs(turns: readonly ReadTurn[]): bigint | null {
  const at = turns.findIndex(({ atNs }) => atNs !== null);
  if (at < 0) return null;
  const startNs = turns[at]!.atNs! - BigInt(at) * GAP_NS;
  return startNs > 0n ? startNs : turns[at]!.atNs!;
}

function outlineAttributes({ format, framework, name, task, tools, turns }: ReadConversation): Attributes {
  const firstQuestion =
    task ?? turns.find(({ kind, role, content }) => isAsking(kind, role) && content !== '')?.content ?? null;
  return withoutNulls({
    [MISSTEP.conversationFormat]: format,
    [MISSTEP.framework]: framework,
    [MISSTEP.task]: firstQuestion?.slice(0, TASK_CHARACTERS) ?? null,
    'gen_ai.conversation.id': name,
    'gen_ai.workflow.name': 'conversation',
    'gen_ai.tool.definitions': tools.length === 0 ? null : JSON.stringify(tools),
  });
}

function isAsking(kind: ReadTurn['kind'], role: string): boolean {
  return kind === 'message' && !['system', 'developer', 'tool'].includes(role);
}

function turnAttributes(turn: ReadTurn, index: number): Attributes {
  return withoutNulls({
    [MISSTEP.stepKind]: turn.kind,
    [MISSTEP.stepIndex]: index,
    [MISSTEP.turnRole]: turn.role,
    [MISSTEP.turnParticipant]: turn.participant,
    'gen_ai.agent.name': turn.agent,
    'gen_ai.usage.input_tokens': turn.usage?.input ?? null,
    'gen_ai.usage.output_tokens': turn.usage?.output ?? null,
    'gen_ai.usage.cache_read.input_tokens': turn.usage?.cacheRead ?? null,
    'gen_ai.usage.cache_creation.input_tokens': turn.usage?.cacheWrite ?? null,
    'gen_ai.usage.reasoning.output_tokens': turn.usage?.reasoning ?? null,
    ...kindAttributes(turn),
  });
}

function kindAttributes(turn: ReadTurn): Record<string, Json> {
  if (turn.answered !== null) return toolAttributes({ ...turn.answered, id: turn.answered.id ?? '' }, turn.content);
  const contentParts = turn.content === '' ? [] : [textPart(turn.content)];
  if (turn.kind === 'message') return { 'gen_ai.output.messages': messages(normalizedRole(turn.role), contentParts) };
  const thought = turn.thinking === '' ? [] : [{ type: 'reasoning', content: turn.thinking }];
  const calls = turn.toolCalls.map((call) => ({ type: 'tool_call', ...call }));
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': turn.model,
    'gen_ai.output.messages': messages('assistant', [...thought, ...contentParts, ...calls]),
    'gen_ai.response.finish_reasons': turn.finishReason === null ? null : [turn.finishReason],
  };
}

/** `developer` is a newer name for `system`, and human speakers have many names. */
function normalizedRole(role: string): string {
  if (role === 'developer') return 'system';
  return role === 'system' || role === 'assistant' || role === 'tool' ? role : 'user';
}
