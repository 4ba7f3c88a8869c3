import type { ModelCatalog } from '../../core/model-catalog.ts';
import { maxSeverity } from '../../core/severity.ts';
import type { CodingSession, Trace } from '../../core/trace.ts';
import { analyzeSpans } from '../analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../analysis/tenant-detection.ts';
import type { SessionItem } from './session.record.ts';
import { sessionDigest } from './session-digest.ts';
import { outlineOf, sessionSpans, workingFolderOf } from './session-outline.ts';
import type { ReportSource } from './session-report.ts';

export interface ReadOptions {
  models: ModelCatalog;
  /** Unix milliseconds, for files without a time of their own. */
  receivedAtMs: number;
}

/**
 * Reads the files of one session and analyzes it; null if they hold no session.
 * @throws AppError `malformed` for an unknown format
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

function unmarkedSession(trace: Trace): CodingSession {
  return { title: null, project: workingFolderOf(trace), branch: null, endedBy: 'unknown', parentId: null };
}
