import { estimateTokenCount } from 'tokenx';
import { CONVERSATION_FORMATS, type ConversationFigures } from '../../core/conversation.ts';
import type { Span } from '../../core/span.ts';
import type { Step, ToolCall, Trace } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/** A turn read from the stored spans. */
export interface Turn {
  /** Position in the conversation from zero; equals the step of the trace. */
  turn: number;
  role: string;
  participant: string;
  content: string;
  toolCalls: ToolCall[];
  /** Tokens of the turn's text: as reported, else estimated. */
  tokens: number;
  areTokensEstimated: boolean;
  /** Sum up to and including this turn. */
  accumulatedTokens: number;
  /** Unix milliseconds; null if none were sent. */
  atMs: number | null;
}

/** The turns of a trace that was sent as a conversation, in order. */
export function readTurns(trace: Trace, spans: readonly Span[]): Turn[] {
  const attributesOf = new Map(spans.map(({ spanId, attributes }) => [spanId, attributes]));
  const turns: Turn[] = [];
  let sum = 0;
  for (const step of trace.steps) {
    const attributes = attributesOf.get(step.spanId) ?? {};
    const role = attributes[MISSTEP.turnRole];
    const participant = attributes[MISSTEP.turnParticipant];
    if (typeof role !== 'string') continue;
    const { tokens, areTokensEstimated } = tokensOf(step);
    sum += tokens;
    turns.push({
      turn: step.index,
      role,
      participant: typeof participant === 'string' ? participant : role,
      content: step.output,
      toolCalls: callsOf(step),
      tokens,
      areTokensEstimated,
      accumulatedTokens: sum,
      atMs: step.startMs,
    });
  }
  return turns;
}

/** Null if the trace is not a conversation. */
export function conversationOf(trace: Trace, spans: readonly Span[]): ConversationFigures | null {
  const conversationTag = spans.find(({ attributes }) => attributes[MISSTEP.conversationFormat] !== undefined);
  const format = CONVERSATION_FORMATS.find(
    (known) => known === conversationTag?.attributes[MISSTEP.conversationFormat],
  );
  if (format === undefined) return null;
  const turns = readTurns(trace, spans);
  return {
    format,
    framework: trace.framework,
    participants: [...new Set(turns.map(({ participant }) => participant))],
    turnCount: turns.length,
    totalTokens: turns.at(-1)?.accumulatedTokens ?? 0,
    startedAtMs: trace.startedAtMs,
    endedAtMs: trace.endedAtMs,
  };
}

/** Tokens of a model turn are its reported output; its input is the previous turns, which are already counted. */
function tokensOf(step: Step): Pick<Turn, 'tokens' | 'areTokensEstimated'> {
  const reported = step.tokens.output;
  if (reported !== null) return { tokens: reported, areTokensEstimated: false };
  const calls =
    step.kind === 'llm' ? callsOf(step).map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`) : [];
  return { tokens: estimateTokenCount([step.output, ...calls].join('\n').trim()), areTokensEstimated: true };
}

/** The calls that a model requested; for a tool's turn its call, whose result is the content of the turn. */
function callsOf(step: Step): ToolCall[] {
  if (step.tool !== null) return [{ ...step.tool, id: step.tool.id || null, result: null }];
  return step.outputMessages.flatMap(({ toolCalls }) => toolCalls);
}
