import type { Attributes, Span } from '../../core/span.ts';
import { sessionTraceId } from '../hooks/session-span.ts';
import { MISSTEP } from './attributes.ts';

/** A session in a file of a coding agent. */
export interface TranscriptSession {
  id: string;
  framework: string;
  scope: Span['scope'];
}

/**
 * A step of a transcript: an instant, until a later line gives its end. The trace is shared with the session's hooks and
 * log events.
 * @param step `spanId` comes from `hooks/session-span.ts`, so that a step in two sources is one span
 */
export function transcriptSpan(
  session: TranscriptSession,
  step: { spanId: string; parentId: string | null; name: string; timeNs: bigint; directory: string | null },
  attributes: Attributes,
): Span {
  return {
    traceId: sessionTraceId(session.id),
    spanId: step.spanId,
    parentSpanId: step.parentId,
    name: step.name,
    kind: 1,
    startNs: step.timeNs,
    endNs: step.timeNs,
    status: { code: 0, message: '' },
    attributes: {
      [MISSTEP.framework]: session.framework,
      ...(step.directory === null ? {} : { [MISSTEP.workingDirectory]: step.directory }),
      ...attributes,
    },
    events: [],
    links: [],
    resource: { 'service.name': session.framework },
    scope: session.scope,
  };
}
