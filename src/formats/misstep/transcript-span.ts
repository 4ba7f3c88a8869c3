import type { Attributes, Span } from '../../core/span.ts';
import { MISSTEP } from './attributes.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from './derived-id.ts';

/** A session as a coding agent keeps it in a file. */
export interface TranscriptSession {
  id: string;
  /** What ids are derived from, with the session's: `codex rollout`. */
  source: string;
  framework: string;
  scope: Span['scope'];
}

export function transcriptSpanId({ source, id }: TranscriptSession, key: string): string {
  return derivedId(SPAN_ID_DIGITS, source, id, key);
}

/**
 * A step of a transcript: one moment, until a later line tells its end.
 * @param key names the step within its session
 */
export function transcriptSpan(
  session: TranscriptSession,
  step: { key: string; parentId: string | null; name: string; timeNs: bigint; directory: string | null },
  attributes: Attributes,
): Span {
  return {
    traceId: derivedId(TRACE_ID_DIGITS, session.source, session.id),
    spanId: transcriptSpanId(session, step.key),
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
