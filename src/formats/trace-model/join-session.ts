import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { EVENT_SCOPE, HOOK_SCOPE, subagentSpanId } from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/** The agents whose sources name tools, and mostly prompts and model calls, by common ids. */
const AGENTS: ReadonlySet<unknown> = new Set(['claude-code']);

/**
 * One coding session from several of its sources: transcript, log events, traces, hooks. Steps with an id that the
 * sources share are one span already. Here the others are found by their contents and time, and subagents are placed
 * below the calls that started them.
 */
export function joinSession(spans: readonly Span[]): readonly Span[] {
  if (!spans.some(({ attributes }) => AGENTS.has(attributes[MISSTEP.framework]))) return spans;
  const placed = placeSubagents(spans);
  return new Set(spans.map(sourceOf)).size < 2 ? placed : withoutRepeats(placed);
}

/** Answers of events come without the call that gave them, so they are compared with the calls of events, too. */
type Source = 'transcript' | 'events' | 'spans' | 'answers of events' | 'hooks';
/** The one that knows most of a step first. */
const SOURCES: readonly Source[] = ['transcript', 'events', 'spans', 'answers of events', 'hooks'];

function sourceOf({ name, scope }: Span): Source {
  if (scope.name === HOOK_SCOPE) return 'hooks';
  if (scope.name === EVENT_SCOPE) return name === 'answer' ? 'answers of events' : 'events';
  return scope.name.endsWith('.transcript') ? 'transcript' : 'spans';
}

/** Clocks of one machine, but the moment of writing differs; a compaction takes minutes. */
const SAME_MOMENT_NS = 10_000_000_000n;
const SAME_COMPACTION_NS = 600_000_000_000n;

/** A step of one source is left out if a better source has one with the same contents at the same time. */
function withoutRepeats(spans: readonly Span[]): Span[] {
  const known = new Map<string, Span[]>();
  const replaced = new Map<Span, Span | null>();
  for (const source of SOURCES) {
    const ofSource = spans.filter((span) => sourceOf(span) === source).sort(byEnd);
    const kept: Span[] = [];
    /** Per content, the first known step that can still be the same. */
    const nexts = new Map<string, number>();
    for (const span of ofSource) {
      const content = contentOf(span);
      if (content === null) continue;
      const same = nextSame(known.get(content) ?? [], span, nexts, content);
      if (same === null) kept.push(span);
      else {
        replaced.set(span, null);
        if (isModelCall(span)) replaced.set(same, joined(replaced.get(same) ?? same, span));
      }
    }
    for (const span of kept) remember(known, span);
  }
  return spans.flatMap((span) => {
    const other = replaced.get(span);
    return other === undefined ? [span] : (other ?? []);
  });
}

/** Both lists are in order of time, so that each known step is passed over once. */
function nextSame(steps: readonly Span[], span: Span, nexts: Map<string, number>, content: string): Span | null {
  let at = nexts.get(content) ?? 0;
  while (at < steps.length && endOf(steps[at] as Span) < endOf(span) - reachOf(span)) at += 1;
  const step = steps[at];
  const isSame = step !== undefined && endOf(step) <= endOf(span) + reachOf(span);
  nexts.set(content, isSame ? at + 1 : at);
  return isSame ? step : null;
}

function remember(known: Map<string, Span[]>, span: Span): void {
  for (const content of [contentOf(span), ...answersOf(span)]) {
    if (content === null) continue;
    const steps = known.get(content);
    if (steps === undefined) known.set(content, [span]);
    else steps.push(span);
  }
}

function reachOf({ name }: Span): bigint {
  return name === 'compaction' ? SAME_COMPACTION_NS : SAME_MOMENT_NS;
}

function byEnd(one: Span, other: Span): number {
  return Number(endOf(one) - endOf(other));
}

function endOf({ startNs, endNs }: Span): bigint {
  return endNs ?? startNs;
}

/** The program measured the request; the transcript has the words. */
function joined(transcript: Span, measured: Span): Span {
  const isMeasured = measured.attributes[MISSTEP.isTimeMeasured] === true;
  const times = isMeasured ? { startNs: measured.startNs, endNs: measured.endNs } : {};
  return { ...transcript, ...times, attributes: { ...measured.attributes, ...transcript.attributes } };
}

function isModelCall({ name, attributes }: Span): boolean {
  return name === 'chat' && attributes['gen_ai.usage.output_tokens'] !== undefined;
}

/** What makes steps of two sources the same; null for steps that have an id of the agent's own. */
function contentOf(span: Span): string | null {
  const { name, attributes } = span;
  if (name === 'compaction') return name;
  if (name === 'prompt' || name === 'answer') return `${name} ${wordsOf(span).at(-1) ?? ''}`;
  if (!isModelCall(span)) return null;
  const usage = ['gen_ai.request.model', 'gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens'];
  return JSON.stringify(usage.map((key) => attributes[key] ?? null));
}

/** A model call whose words another source sends as an answer. */
function answersOf(span: Span): string[] {
  const words = isModelCall(span) ? wordsOf(span).at(-1) : undefined;
  return words === undefined ? [] : [`answer ${words}`];
}

function wordsOf({ attributes }: Span): string[] {
  const text = attributes['gen_ai.output.messages'];
  const messages = typeof text === 'string' ? parseJson(text) : undefined;
  const parts = (Array.isArray(messages) ? messages : []).flatMap((message) =>
    isJsonObject(message) && Array.isArray(message.parts) ? message.parts : [],
  );
  return parts.flatMap((part) =>
    isJsonObject(part) && part.type === 'text' && typeof part.content === 'string' ? [part.content.trim()] : [],
  );
}

const UNNAMED = 'subagent';

/** The call's result names the subagent, and its argument says of what type that is. */
function placeSubagents(spans: readonly Span[]): readonly Span[] {
  const callers = new Map<string, Span>();
  const sessionId = spans.map(({ attributes }) => attributes[MISSTEP.sessionId]).find((id) => typeof id === 'string');
  if (typeof sessionId !== 'string') return spans;
  for (const span of spans) {
    const agentId = span.attributes[MISSTEP.subagentId];
    const isCall = span.attributes['gen_ai.tool.name'] !== undefined;
    if (isCall && typeof agentId === 'string') callers.set(subagentSpanId(sessionId, agentId), span);
  }
  if (callers.size === 0) return spans;
  return spans.map((span) => {
    const caller = callers.get(span.spanId);
    return caller === undefined ? span : placed(span, caller);
  });
}

function placed(agent: Span, caller: Span): Span {
  const type = typeIn(caller);
  const isUnnamed = agent.attributes['gen_ai.agent.name'] === UNNAMED;
  const name = isUnnamed && type !== null ? type : agent.name;
  const attributes = name === agent.name ? agent.attributes : { ...agent.attributes, 'gen_ai.agent.name': name };
  return { ...agent, name, attributes, parentSpanId: caller.spanId };
}

function typeIn({ attributes }: Span): string | null {
  const given = attributes['gen_ai.tool.call.arguments'];
  const read = typeof given === 'string' ? parseJson(given) : undefined;
  const type = isJsonObject(read) ? (read as JsonObject).subagent_type : undefined;
  return typeof type === 'string' && type !== '' ? type : null;
}
