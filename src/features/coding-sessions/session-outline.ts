import { mergeSpans } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import type { Trace } from '../../core/trace.ts';
import { decodeAny } from '../../formats/detect/detect-format.ts';
import type { SessionItem } from './session.record.ts';
import { shorten } from './shorten.ts';

/** The spans of the trace with the most lines: a file may also hold the history of another session. */
export function sessionSpans(bodies: readonly Buffer[], receivedAtMs: number): Span[] {
  const spans = bodies.flatMap((body) => decodeAny(body, { receivedAtMs }).spans);
  const groups = [...Map.groupBy(spans, ({ traceId }) => traceId).values()];
  const main = groups.reduce<Span[]>((most, group) => (group.length > most.length ? group : most), []);
  return bodies.length > 1 ? mergeSpans(main) : main;
}

const NAME_CHARACTERS = 300;

/** Identity of a session, without figures. */
export function outlineOf(trace: Trace): SessionItem {
  const { codingSession } = trace;
  return {
    sessionId: trace.sessionId ?? trace.traceId,
    traceId: trace.traceId,
    parentId: codingSession?.parentId ?? null,
    agent: trace.framework,
    title: codingSession?.title == null ? null : shorten(codingSession.title, NAME_CHARACTERS),
    task: trace.task === null ? null : shorten(trace.task, NAME_CHARACTERS),
    project: codingSession?.project ?? workingFolderOf(trace),
    branch: codingSession?.branch ?? null,
    endedBy: null,
    startedAtMs: trace.startedAtMs,
    endedAtMs: trace.endedAtMs,
    totalTokens: null,
    costUsd: null,
    models: [],
    detectionCount: null,
    maxSeverity: null,
    digest: null,
  };
}

export function workingFolderOf({ steps }: Trace): string | null {
  return steps.find(({ workingDirectory }) => workingDirectory !== null)?.workingDirectory ?? null;
}
