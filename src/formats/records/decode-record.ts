import type { Json } from '../../core/json.ts';
import { type Attributes, type Decoded, msToNs, type Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';
import { type PairedCalls, pairCalls } from './pair-calls.ts';
import { type EvaluationRecord, type RecordStep, readRecord } from './record-shape.ts';
import { messages, stepAttributes, stepStatus, textPart, toolAttributes } from './step-attributes.ts';

const SCOPE = { name: 'misstep.records', version: '1' };
const SYNTHETIC_STEP_NS = 1_000_000n;

/** Trace id of the spans that a record with this id decodes to. */
export function recordTraceId(recordId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'record', recordId);
}

/** Index of each span's step in its record, by span id; spans that represent the whole record are absent. */
export function recordStepIndexes(spans: readonly Span[]): Map<string, number> {
  const indexes = spans.map((span) => [span.spanId, span.attributes[MISSTEP.stepIndex]] as const);
  return new Map(indexes.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

/**
 * One evaluation record as one trace: a root with task and framework, one span per step, and one for each tool call that
 * only the following step reports. Labels are not read. The same record gives the same spans. Never throws.
 */
export function decodeRecord(value: Json): Decoded {
  const read = readRecord(value);
  if (typeof read === 'string') return { spans: [], rejections: [{ pointer: '', message: read }] };
  const { record, rejected } = read;
  return {
    spans: record.steps.length > 0 ? stepSpans(record) : textSpans(record),
    rejections: rejected.map(({ index, why }) => ({ pointer: `/steps/${index}`, message: why })),
  };
}

function stepSpans(record: EvaluationRecord): Span[] {
  const paired = pairCalls(record.steps);
  const ids = spanIds(record);
  const times = stepTimes(record.steps);
  const ownRoot = ownRootOf(record.steps, ids);
  const rootId = ownRoot === null ? derivedId(SPAN_ID_DIGITS, 'record', record.id) : ids.get(ownRoot)!;
  const known = new Set(ids.values());
  const spans = record.steps.flatMap((step) => {
    const spanId = ids.get(step.index)!;
    const isRoot = step.index === ownRoot;
    const parent = step.parentSpanId !== null && known.has(step.parentSpanId) ? step.parentSpanId : rootId;
    const span = makeSpan(record, {
      spanId,
      parentSpanId: isRoot ? null : parent,
      name: step.name || step.kind,
      ...times.get(step.index)!,
      status: stepStatus(step),
      attributes: {
        ...(isRoot ? rootAttributes(record) : {}),
        ...stepAttributes(step, record, paired),
        ...(step.startMs === null ? { [MISSTEP.isTimeSynthetic]: true } : {}),
      },
    });
    return [span, ...observedSpans(record, span, step, paired)];
  });
  return ownRoot === null ? [rootSpan(record, rootId, spans), ...spans] : spans;
}

/** Calls without a step of their own, as siblings directly after the requesting step. */
function observedSpans(record: EvaluationRecord, asking: Span, step: RecordStep, paired: PairedCalls): Span[] {
  return (paired.observed.get(step.index) ?? []).map((call, nth) =>
    makeSpan(record, {
      spanId: derivedId(SPAN_ID_DIGITS, 'record', record.id, step.index, 'call', nth),
      parentSpanId: asking.parentSpanId,
      name: call.name,
      startNs: asking.startNs + 1000n * BigInt(nth + 1),
      endNs: asking.endNs,
      status: call.hasFailed ? { code: 2, message: call.result } : { code: 0, message: '' },
      attributes: withoutNulls({
        [MISSTEP.stepKind]: 'tool',
        [MISSTEP.stepIndex]: step.index,
        [MISSTEP.isSpanSynthetic]: true,
        [MISSTEP.isTimeSynthetic]: true,
        'gen_ai.agent.name': step.agent,
        ...toolAttributes(call, call.result),
      }),
    }),
  );
}

/** A text with its sources: the retrieved texts, then the answer. A text alone: a message. */
function textSpans(record: EvaluationRecord): Span[] {
  const rootId = derivedId(SPAN_ID_DIGITS, 'record', record.id);
  const isAnswer = record.sources.length > 0;
  const answer = textSpan(record, rootId, 1, isAnswer ? 'chat' : 'message', {
    [MISSTEP.stepKind]: isAnswer ? 'llm' : 'message',
    [MISSTEP.stepIndex]: 0,
    'gen_ai.operation.name': isAnswer ? 'chat' : null,
    'gen_ai.input.messages': isAnswer && record.task !== null ? messages('user', [textPart(record.task)]) : null,
    'gen_ai.output.messages': messages(isAnswer ? 'assistant' : 'user', [textPart(record.text ?? '')]),
  });
  const retrieval = textSpan(record, rootId, 0, 'retrieval', {
    [MISSTEP.stepKind]: 'retrieval',
    'gen_ai.operation.name': 'retrieval',
    [MISSTEP.documents]: JSON.stringify(record.sources.map((content) => ({ id: null, content, score: null }))),
  });
  const spans = isAnswer ? [retrieval, answer] : [answer];
  return [rootSpan(record, rootId, spans), ...spans];
}

function textSpan(
  record: EvaluationRecord,
  rootId: string,
  nth: number,
  name: string,
  attributes: Record<string, Json>,
): Span {
  return makeSpan(record, {
    spanId: derivedId(SPAN_ID_DIGITS, 'record', record.id, name),
    parentSpanId: rootId,
    name,
    startNs: SYNTHETIC_STEP_NS * BigInt(nth + 1),
    endNs: SYNTHETIC_STEP_NS * BigInt(nth + 2),
    attributes: withoutNulls({ ...attributes, [MISSTEP.isTimeSynthetic]: true }),
  });
}

function rootSpan(record: EvaluationRecord, spanId: string, children: readonly Span[]): Span {
  const starts = children.map((span) => span.startNs);
  const ends = children.map((span) => span.endNs ?? span.startNs);
  const isSynthetic = children.every((span) => span.attributes[MISSTEP.isTimeSynthetic] === true);
  return makeSpan(record, {
    spanId,
    parentSpanId: null,
    name: 'run',
    startNs: starts.sort(ascending)[0]!,
    endNs: ends.sort(ascending).at(-1)!,
    attributes: {
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.isRootSynthetic]: true,
      ...rootAttributes(record),
      ...(isSynthetic ? { [MISSTEP.isTimeSynthetic]: true } : {}),
    },
  });
}

function ascending(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function rootAttributes(record: EvaluationRecord): Attributes {
  return withoutNulls({
    [MISSTEP.recordId]: record.id,
    [MISSTEP.framework]: record.framework,
    [MISSTEP.task]: record.task,
  });
}

type SpanParts = Pick<Span, 'spanId' | 'parentSpanId' | 'name' | 'startNs' | 'endNs' | 'attributes'> & Partial<Span>;

function makeSpan(record: EvaluationRecord, parts: SpanParts): Span {
  return {
    traceId: recordTraceId(record.id),
    kind: 1,
    status: { code: 0, message: '' },
    events: [],
    links: [],
    resource: {},
    scope: SCOPE,
    ...parts,
  };
}

/** The sender's ids by step index if they are unique, else derived ones. */
function spanIds(record: EvaluationRecord): Map<number, string> {
  const used = new Set<string>();
  const ids = new Map<number, string>();
  for (const { index, spanId } of record.steps) {
    const isFree = spanId !== null && spanId.length <= 128 && !used.has(spanId);
    const id = isFree ? spanId : derivedId(SPAN_ID_DIGITS, 'record', record.id, index);
    used.add(id);
    ids.set(index, id);
  }
  return ids;
}

/** Index of the step above all others; null if the record has no tree of its own. */
function ownRootOf(steps: readonly RecordStep[], ids: ReadonlyMap<number, string>): number | null {
  const known = new Set(ids.values());
  const orphans = steps.filter((step) => step.parentSpanId === null || !known.has(step.parentSpanId));
  return orphans.length === 1 && steps.length > 1 ? orphans[0]!.index : null;
}

/** Recorded times; without them, one millisecond per step keeps the order. */
function stepTimes(steps: readonly RecordStep[]): Map<number, { startNs: bigint; endNs: bigint }> {
  const times = new Map<number, { startNs: bigint; endNs: bigint }>();
  let latest = 0n;
  for (const step of steps) {
    const startNs = step.startMs === null ? latest + SYNTHETIC_STEP_NS : msToNs(step.startMs);
    const endNs = step.startMs === null || step.endMs === null ? startNs + SYNTHETIC_STEP_NS : msToNs(step.endMs);
    times.set(step.index, { startNs, endNs: endNs > startNs ? endNs : startNs });
    latest = startNs;
  }
  return times;
}
