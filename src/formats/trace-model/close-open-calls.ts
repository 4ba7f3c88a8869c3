import type { Span } from '../../core/span.ts';
import { isOfSession } from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/**
 * Ends tool calls that a coding agent's hooks started and never ended, once the session is idle: a refused call has no
 * second hook. The stored spans stay open, so that a late result is still used.
 */
export function closeOpenCalls(spans: readonly Span[]): readonly Span[] {
  const root = spans.find((span) => span.parentSpanId === null && isOfSession(span));
  const endNs = root?.endNs ?? null;
  if (endNs === null) return spans;
  return spans.map((span) => (isOpenCall(span) && span.startNs <= endNs ? { ...span, endNs } : span));
}

function isOpenCall(span: Span): boolean {
  return span.endNs === null && isOfSession(span) && span.attributes[MISSTEP.stepKind] === 'tool';
}
