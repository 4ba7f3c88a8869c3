import type { Attributes, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { byPrecision, byTime, type Replacements, replaceSpans, timeOf } from './session-source.ts';

/** Two sources report one step within this time of each other: hooks run before or after it. */
const APART_NS = 2_000_000_000n;
/** The hook of an answer waits for other work at the end of a turn. */
const ANSWER_APART_NS = 10_000_000_000n;
/** Limit for steps of one name that are compared around one time. */
const MAX_COMPARED = 32;

/**
 * The session of a coding agent as reported by several sources, with each step once. Steps with a common id are already one
 * span. Here a tool call or prompt of one source is joined with that of another, and the model calls of the source with the
 * most calls represent all. The spans of every other trace are returned unchanged.
 */
export function joinInOrder(spans: readonly Span[]): readonly Span[] {
  const steps = spans.filter(isSessionStep);
  if (new Set(steps.map(sourceOf)).size < 2) return spans;
  const replaced: Replacements = new Map();
  for (const same of Map.groupBy(steps, nameOf).values()) joinSame(same, replaced);
  joinModelCalls(
    steps.filter((span) => kindOf(span) === 'llm'),
    replaced,
  );
  return replaceSpans(spans, replaced);
}

function isSessionStep(span: Span): boolean {
  const isRoot = span.parentSpanId === null;
  return !isRoot && kindOf(span) !== undefined && span.attributes[MISSTEP.isBookkeeping] !== true;
}

function kindOf({ attributes }: Span): unknown {
  return attributes[MISSTEP.stepKind];
}

function sourceOf({ scope }: Span): string {
  return scope.name;
}

/** Equal for steps that may be the same: the tool, or the text of a prompt. Null for steps that are not joined by name. */
function nameOf(span: Span): string | null {
  const { attributes, name } = span;
  if (kindOf(span) === 'tool') return `tool ${String(attributes['gen_ai.tool.name'] ?? name)}`;
  return kindOf(span) === 'message' ? `message ${String(attributes['gen_ai.output.messages'])}` : null;
}

/** Joins the steps of each source with those of the previous sources, each with the first match. */
function joinSame(spans: readonly Span[], replaced: Replacements): void {
  if (spans.length < 2 || nameOf(spans[0]!) === null) return;
  const sources = [...Map.groupBy(spans, sourceOf).values()].sort(byPrecision);
  let kept: Span[] = [];
  for (const source of sources) {
    const unmatched = joinInto(kept, [...source].sort(byTime), replaced);
    kept = [...kept, ...unmatched].sort(byTime);
  }
}

/** Returns the spans without a match. Both lists are in time order. */
function joinInto(kept: readonly Span[], source: readonly Span[], replaced: Replacements): Span[] {
  const matched = new Set<Span>();
  let from = 0;
  return source.filter((span, place) => {
    if (kindOf(span) === 'message') return !isJoined(kept[place], span, replaced);
    while (from < kept.length && (matched.has(kept[from]!) || timeOf(kept[from]!) + APART_NS < timeOf(span))) from += 1;
    const candidates = kept.slice(from, from + MAX_COMPARED);
    const partner = candidates.find((other) => !matched.has(other) && isSame(replaced.get(other) ?? other, span));
    if (partner === undefined) return true;
    matched.add(partner);
    return !isJoined(partner, span, replaced);
  });
}

/** Prompts with the same text correspond by order: hooks of some agents only have the time of receipt. */
function isJoined(partner: Span | undefined, span: Span, replaced: Replacements): boolean {
  if (partner === undefined) return false;
  replaced.set(partner, joinPair(replaced.get(partner) ?? partner, span));
  replaced.set(span, null);
  return true;
}

function isSame(kept: Span, span: Span): boolean {
  const distance = timeOf(kept) - timeOf(span);
  return distance < APART_NS && -distance < APART_NS && isSameRequest(kept.attributes, span.attributes);
}

const ARGUMENTS = 'gen_ai.tool.call.arguments';
const CALL_ID = 'gen_ai.tool.call.id';

/**
 * Whether the id is shared between sources. An id like `call_1/0`, which a Codex rollout gives to the calls of a script, is
 * not.
 */
function hasSharedId(attributes: Attributes): boolean {
  const id = attributes[CALL_ID];
  return typeof id === 'string' && !/\/\d+$/.test(id);
}

/** If only one source has the arguments, name and time must suffice. */
function isSameRequest(one: Attributes, other: Attributes): boolean {
  // A step with a shared id is already one span, and has the scope of the source that arrived last.
  if (hasSharedId(one) && hasSharedId(other)) return false;
  const [first, second] = [one[ARGUMENTS], other[ARGUMENTS]];
  if (typeof first !== 'string' || typeof second !== 'string') return true;
  return first === second || first.replace(/\s+/g, '') === second.replace(/\s+/g, '');
}

/** The span of the more precise source, with facts that only the other has. A failure in either is kept. */
function joinPair(kept: Span, other: Span): Span {
  return {
    ...kept,
    status: [kept.status, other.status].find(({ code }) => code === 2) ?? kept.status,
    startNs: kept.startNs === 0n ? other.startNs : kept.startNs,
    endNs: kept.endNs ?? other.endNs,
    attributes: { ...other.attributes, ...kept.attributes },
  };
}

/** Calls with an id are already one span, whichever source arrived last. */
function callSourceOf(span: Span): string {
  return span.attributes['gen_ai.response.id'] === undefined ? sourceOf(span) : 'by id';
}

/**
 * Model calls have no common ids: they correspond if two sources have the same number of them, else the longest list
 * represents all.
 */
function joinModelCalls(calls: readonly Span[], replaced: Replacements): void {
  const counted = [...Map.groupBy(calls.filter(isCounted), callSourceOf).values()];
  const [best, ...others] = counted.sort((one, other) => other.length - one.length || byPrecision(one, other));
  if (best === undefined) return;
  const kept = [...best].sort(byTime);
  for (const source of others)
    for (const [at, call] of [...source].sort(byTime).entries()) {
      if (source.length === kept.length) replaced.set(kept[at]!, joinPair(replaced.get(kept[at]!) ?? kept[at]!, call));
      replaced.set(call, null);
    }
  const answers = calls.filter(
    (call) => !isCounted(call) && call.status.code !== 2 && callSourceOf(call) !== callSourceOf(kept[0]!),
  );
  if (kept.some((call) => hasText(replaced.get(call) ?? call)))
    for (const answer of answers) replaced.set(answer, null);
  else joinAnswers(kept, answers, replaced);
}

/** If the calls have no text, an answer from another source belongs to the last call before it. */
function joinAnswers(calls: readonly Span[], answers: readonly Span[], replaced: Replacements): void {
  let next = 0;
  for (const answer of [...answers].sort(byTime)) {
    const first = next;
    while (next < calls.length && timeOf(calls[next]!) < timeOf(answer) + APART_NS) next += 1;
    const call = calls[next - 1];
    const isSame = next > first && call !== undefined && timeOf(call) + ANSWER_APART_NS > timeOf(answer);
    if (isSame && hasText(answer)) isJoined(call, answer, replaced);
  }
}

function hasText({ attributes }: Span): boolean {
  return ['gen_ai.output.messages', 'ai.response.text'].some((key) => typeof attributes[key] === 'string');
}

function isCounted({ attributes }: Span): boolean {
  return ['gen_ai.usage.input_tokens', 'ai.usage.inputTokens'].some((key) => attributes[key] !== undefined);
}
