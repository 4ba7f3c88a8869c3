import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { MASTRA_TYPE } from '../conventions/mastra.ts';

/** Spans around one or several model calls, which repeat the facts of the calls. */
const WRAPPERS: ReadonlySet<unknown> = new Set(['model_generation', 'model_step']);

/**
 * Mastra's model calls, each once. It records a call as four nested spans: generation, step, inference and chunks. The
 * inference is the call; it receives what only its step has: the messages and the requested tool calls. A failed wrapper is
 * kept if nothing inside it failed. Other spans are unchanged.
 */
export function joinMastra(spans: readonly Span[]): readonly Span[] {
  if (!spans.some(isInference)) return spans;
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const wrappers = wrappersAround(spans, byId);
  const isLeftOut = (span: Span) =>
    (wrappers.has(span) && (span.status.code !== 2 || wrappers.get(span)!.hasFailure)) ||
    (typeOf(span) === 'model_chunk' && span.status.code !== 2);
  return spans.flatMap((span) => {
    if (isLeftOut(span)) return [];
    const step = isInference(span) ? parentOf(span, byId) : undefined;
    const placed = { ...span, parentSpanId: keptParent(span, byId, isLeftOut) };
    return [step !== undefined && typeOf(step) === 'model_step' ? withContent(placed, step) : placed];
  });
}

function typeOf({ attributes }: Span): unknown {
  return attributes[MASTRA_TYPE];
}

function isInference(span: Span): boolean {
  return typeOf(span) === 'model_inference';
}

function parentOf({ parentSpanId }: Span, byId: ReadonlyMap<string, Span>): Span | undefined {
  return parentSpanId === null ? undefined : byId.get(parentSpanId);
}

/** Wrappers with an inference below them, and whether something below them failed. */
function wrappersAround(spans: readonly Span[], byId: ReadonlyMap<string, Span>): Map<Span, { hasFailure: boolean }> {
  const wrappers = new Map<Span, { hasFailure: boolean }>();
  const failed = new Set<Span>();
  for (const span of spans) {
    const isCall = isInference(span);
    if (!isCall && span.status.code !== 2) continue;
    for (const wrapper of wrappersOf(span, byId)) {
      if (isCall && !wrappers.has(wrapper)) wrappers.set(wrapper, { hasFailure: false });
      if (span.status.code === 2 && !WRAPPERS.has(typeOf(span))) failed.add(wrapper);
    }
  }
  for (const [wrapper, known] of wrappers) known.hasFailure = failed.has(wrapper);
  return wrappers;
}

/** A step and its generation. */
function wrappersOf(span: Span, byId: ReadonlyMap<string, Span>): Span[] {
  const step = parentOf(span, byId);
  if (step === undefined || !WRAPPERS.has(typeOf(step))) return [];
  const generation = parentOf(step, byId);
  return generation !== undefined && WRAPPERS.has(typeOf(generation)) ? [step, generation] : [step];
}

const MAX_LEVELS = 4;

function keptParent(span: Span, byId: ReadonlyMap<string, Span>, isLeftOut: (span: Span) => boolean): string | null {
  let id = span.parentSpanId;
  for (let level = 0; level < MAX_LEVELS && id !== null; level += 1) {
    const parent = byId.get(id);
    if (parent === undefined || !isLeftOut(parent)) return id;
    id = parent.parentSpanId;
  }
  return id;
}

function withContent(call: Span, step: Span): Span {
  const attributes = { ...call.attributes };
  attributes['gen_ai.input.messages'] ??= step.attributes['mastra.model_step.input'] ?? null;
  const answer = answerOf(step.attributes['mastra.model_step.output']);
  if (answer !== null) attributes['gen_ai.output.messages'] = answer;
  if (attributes['gen_ai.input.messages'] === null) delete attributes['gen_ai.input.messages'];
  return { ...call, attributes };
}

/** The model's text and the requested tool calls; null without a tool call, because the inference then has the same text. */
function answerOf(output: Json | undefined): string | null {
  const parsed = typeof output === 'string' ? parseJson(output) : output;
  if (!isJsonObject(parsed) || !Array.isArray(parsed.toolCalls) || parsed.toolCalls.length === 0) return null;
  const calls = parsed.toolCalls.filter(isJsonObject).map((call) => ({
    type: 'tool_call',
    id: call.toolCallId ?? null,
    name: call.toolName ?? null,
    arguments: call.args ?? call.input ?? null,
  }));
  const answerText =
    typeof parsed.text === 'string' && parsed.text !== '' ? [{ type: 'text', content: parsed.text }] : [];
  return JSON.stringify([{ role: 'assistant', parts: [...answerText, ...calls] }]);
}
