import type { Attributes, Span } from '../../../src/core/span.ts';
import { MISSTEP } from '../../../src/formats/misstep/attributes.ts';
import { buildTrace } from '../../../src/formats/trace-model/build-trace.ts';
import type { Fact } from './carried-facts.ts';
import { models } from './judged-run.ts';
import { isOfUser } from './plain-run-of.ts';

const REDUCTIONS: Readonly<Record<Fact, (spans: readonly Span[]) => readonly Span[]>> = {
  task: withoutTask,
  'failed calls': (spans) => spans.map(withoutFailure),
  tokens: (spans) => spans.map((span) => withAttributes(span, withoutUsage(span.attributes))),
  times: (spans) => spans.map((span) => withAttributes(span, { ...span.attributes, [MISSTEP.isTimeSynthetic]: true })),
  'turns after the last answer': withoutLastTurns,
};

/** The spans of a record without some facts, with the framework that the encoding reports. */
export function reducedSpans(spans: readonly Span[], facts: readonly Fact[], framework: string): Span[] {
  const reduced = facts.reduce((left, fact) => REDUCTIONS[fact](left), spans);
  return reduced.map((span) => (span.parentSpanId === null ? withFramework(span, framework) : span));
}

function withAttributes(span: Span, attributes: Attributes): Span {
  return { ...span, attributes };
}

function withFramework(span: Span, framework: string): Span {
  const { [MISSTEP.framework]: _, ...rest } = span.attributes;
  return withAttributes(span, framework === 'unknown' ? rest : { ...rest, [MISSTEP.framework]: framework });
}

/** Without a description of the task, the first message of a user is the task. */
function withoutTask(spans: readonly Span[]): Span[] {
  const { steps } = buildTrace(spans, { models, isSettled: true });
  const first = steps.find(isOfUser);
  return spans.map((span) => {
    if (span.parentSpanId !== null || first === undefined) return span;
    return withAttributes(span, { ...span.attributes, [MISSTEP.task]: first.output });
  });
}

/** The text of the error becomes the result of a call without one. */
function withoutFailure(span: Span): Span {
  if (span.status.code !== 2) return span;
  const { 'error.type': _, ...rest } = span.attributes;
  const attributes = { 'gen_ai.tool.call.result': span.status.message, ...rest };
  return { ...span, status: { code: 0, message: '' }, attributes };
}

function withoutUsage(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => !key.startsWith('gen_ai.usage.')));
}

/** Messages of users and instructions after the last act of an agent. */
function withoutLastTurns(spans: readonly Span[]): Span[] {
  const last = spans.findLastIndex((span) => span.parentSpanId !== null && !isGiven(span));
  return spans.filter((span, at) => span.parentSpanId === null || at <= last);
}

function isGiven({ attributes }: Span): boolean {
  return attributes[MISSTEP.stepKind] === 'message' && attributes['gen_ai.agent.name'] === undefined;
}
