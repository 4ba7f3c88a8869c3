import { nsToMs, type Span } from '../../core/span.ts';
import type { RejectedRecords, Step } from '../../core/trace.ts';
import type { StepFacts } from '../conventions/step-facts.ts';
import type { SpanTree } from './span-tree.ts';

/** Kinds of the steps in which a run continues or ends. Other steps only describe it, such as a report of its end. */
const ACTING_KINDS: ReadonlySet<Step['kind']> = new Set(['llm', 'tool', 'message', 'agent']);

/** The rejected records of all spans: each body of a run states its own on one of them. */
export function rejectionsIn(facts: readonly Partial<StepFacts>[]): StepFacts['rejectedRecords'] | null {
  let found: StepFacts['rejectedRecords'] | null = null;
  for (const { rejectedRecords: own } of facts) {
    if (own === undefined) continue;
    found = found === null ? own : { count: found.count + own.count, afterMs: Math.max(found.afterMs, own.afterMs) };
  }
  return found;
}

/** Where the rejected records of a run lie among its steps; null if none were rejected. */
export function placeRejections(
  { spans, parents }: SpanTree,
  steps: readonly Step[],
  rejected: StepFacts['rejectedRecords'] | null,
): RejectedRecords | null {
  if (rejected === null) return null;
  const { count, afterMs } = rejected;
  const isLater = (span: Span, at: number) => parents[at] !== null && isActing(steps[at]!) && latestMs(span) > afterMs;
  return {
    count,
    afterStep: spans.findLastIndex((span) => latestMs(span) <= afterMs),
    isEndMissing: !spans.some(isLater),
  };
}

/** In a workflow, every node is a part of the run. */
function isActing({ kind, node }: Step): boolean {
  return ACTING_KINDS.has(kind) || node !== null;
}

function latestMs({ startNs, endNs }: Span): number {
  return nsToMs(endNs === null || endNs < startNs ? startNs : endNs);
}
