import { mergeSpans } from '../../core/merge-spans.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { maxSeverity } from '../../core/severity.ts';
import type { Span } from '../../core/span.ts';
import type { CodingSession, Trace } from '../../core/trace.ts';
import { decodeAny } from '../../formats/detect/detect-format.ts';
import { analyzeSpans } from '../analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../analysis/tenant-detection.ts';
import type { SessionItem } from './session.record.ts';
import { sessionDigest } from './session-digest.ts';
import type { ReportSource } from './session-report.ts';
import { shorten } from './shorten.ts';

export interface ReadOptions {
  models: ModelCatalog;
  /** Unix milliseconds; stands in where a file gives no time. */
  receivedAtMs: number;
}

/**
 * Reads the files of one session and analyses it; null where they hold no session.
 * @throws AppError `malformed` where the format is not known
 */
export function readSession(bodies: readonly Buffer[], options: ReadOptions): ReportSource | null {
  const { models } = options;
  const spans = sessionSpans(bodies, options.receivedAtMs);
  if (spans.length === 0) return null;
  const isSettled = spans.some(({ parentSpanId, endNs }) => parentSpanId === null && endNs !== null);
  const { trace: built, result } = analyzeSpans(spans, { isSettled, models, tenant: DEFAULT_DETECTION });
  const trace = { ...built, codingSession: built.codingSession ?? unmarkedSession(built) };
  const counted = result.detections.filter(({ severity }) => severity !== 'observation');
  const item: SessionItem = {
    ...outlineOf(trace),
    endedBy: trace.codingSession.endedBy,
    totalTokens: trace.tokens.total ?? 0,
    costUsd: trace.costUsd,
    models: trace.models,
    detectionCount: counted.length,
    maxSeverity: maxSeverity(counted.map(({ severity }) => severity)),
    digest: sessionDigest(trace, models),
  };
  return { item, trace, detections: result.detections };
}

/** The spans of the trace that most lines belong to: a file may also hold the history of another session. */
export function sessionSpans(bodies: readonly Buffer[], receivedAtMs: number): Span[] {
  const spans = bodies.flatMap((body) => decodeAny(body, { receivedAtMs }).spans);
  const groups = [...Map.groupBy(spans, ({ traceId }) => traceId).values()];
  const main = groups.reduce<Span[]>((most, group) => (group.length > most.length ? group : most), []);
  return bodies.length > 1 ? mergeSpans(main) : main;
}

const NAME_CHARACTERS = 300;

/** What a session is known by, without figures. */
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

function unmarkedSession(trace: Trace): CodingSession {
  return { title: null, project: workingFolderOf(trace), branch: null, endedBy: 'unknown', parentId: null };
}

function workingFolderOf({ steps }: Trace): string | null {
  return steps.find(({ workingDirectory }) => workingDirectory !== null)?.workingDirectory ?? null;
}
