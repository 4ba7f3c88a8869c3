import type { Attributes, Span } from '../../core/span.ts';
import { sessionTraceId } from '../hooks/session-span.ts';
import { MISSTEP } from './attributes.ts';

/** A session as a coding agent keeps it in a file. */
export interface TranscriptSession {
  id: string;
  framework: string;
  scope: Span['scope'];
}

/**
 * A step of a transcript: one moment, until a later line gives its end. The trace is the one of the session's hooks and
 * log events.
 * @param step `spanId` is made with `hooks/session-span.ts`, so that a step seen in two sources is one span
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
