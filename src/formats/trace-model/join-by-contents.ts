import type { Span } from '../../core/span.ts';
import { EVENT_SCOPE, HOOK_SCOPE } from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { byTime, outputTextOf, type Replacements, replaceSpans, timeOf } from './session-source.ts';

/** Answers in events do not name their call, so they are also compared with the calls in events. */
type Source = 'transcript' | 'events' | 'spans' | 'answers of events' | 'hooks';
/** The source with the most facts about a step first. */
const SOURCES: readonly Source[] = ['transcript', 'events', 'spans', 'answers of events', 'hooks'];

function sourceOf({ name, scope }: Span): Source {
  if (scope.name === HOOK_SCOPE) return 'hooks';
  if (scope.name === EVENT_SCOPE) return name === 'answer' ? 'answers of events' : 'events';
  return scope.name.endsWith('.transcript') ? 'transcript' : 'spans';
}

/** The sources share a clock, but write at different moments; a compaction takes minutes. */
const SAME_MOMENT_NS = 10_000_000_000n;
const SAME_COMPACTION_NS = 600_000_000_000n;

/**
 * For an agent whose sources name most steps by common ids: a step of one source is omitted if a better source has one with
 * the same content at the same time.
 */
export function joinByContents(spans: readonly Span[]): readonly Span[] {
  if (new Set(spans.map(sourceOf)).size < 2) return spans;
  const known = new Map<string, Span[]>();
  const replaced: Replacements = new Map();
  for (const source of SOURCES) {
    const ofSource = spans.filter((span) => sourceOf(span) === source).sort(byTime);
    const kept: Span[] = [];
    /** By content, the first known step that can still be the same one. */
    const nexts = new Map<string, number>();
    for (const span of ofSource) {
      const content = contentOf(span);
      if (content === null) continue;
      const same = nextSame(known.get(content) ?? [], span, nexts, content);
      if (same === null) kept.push(span);
      else {
        replaced.set(span, null);
        if (isModelCall(span)) replaced.set(same, joinPair(replaced.get(same) ?? same, span));
      }
    }
    for (const span of kept) remember(known, span);
  }
  return replaceSpans(spans, replaced);
}

/** Both lists are in time order, so that each known step is passed once. */
function nextSame(steps: readonly Span[], span: Span, nexts: Map<string, number>, content: string): Span | null {
  let at = nexts.get(content) ?? 0;
  while (at < steps.length && timeOf(steps[at] as Span) < timeOf(span) - reachOf(span)) at += 1;
  const step = steps[at];
  const isSame = step !== undefined && timeOf(step) <= timeOf(span) + reachOf(span);
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

/** The program measured the request; the transcript contains the text. */
function joinPair(transcript: Span, measured: Span): Span {
  const isMeasured = measured.attributes[MISSTEP.isTimeMeasured] === true;
  const times = isMeasured ? { startNs: measured.startNs, endNs: measured.endNs } : {};
  return { ...transcript, ...times, attributes: { ...measured.attributes, ...transcript.attributes } };
}

function isModelCall({ name, attributes }: Span): boolean {
  return name === 'chat' && attributes['gen_ai.usage.output_tokens'] !== undefined;
}

/** The content that makes steps of two sources the same; null for steps with an id of the agent's own. */
function contentOf(span: Span): string | null {
  const { name, attributes } = span;
  if (name === 'compaction') return name;
  if (name === 'prompt' || name === 'answer') return `${name} ${outputTextOf(span) ?? ''}`;
  if (!isModelCall(span)) return null;
  const usage = ['gen_ai.request.model', 'gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens'];
  return JSON.stringify(usage.map((key) => attributes[key] ?? null));
}

/** A model call whose text another source sends as an answer. */
function answersOf(span: Span): string[] {
  const answerText = isModelCall(span) ? outputTextOf(span) : null;
  return answerText === null ? [] : [`answer ${answerText}`];
}
