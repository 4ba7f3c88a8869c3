import type { ConversationFigures } from '../../core/conversation.ts';
import type { Detection, DetectionType } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { riskColumns } from '../../detectors/_attribution/run-columns.ts';
import type { EngineResult } from '../../detectors/_runner/run.ts';
import type { Answers } from '../../detectors/_runner/second-opinion.ts';
import { conversationOf } from '../../formats/conversation/read-turns.ts';
import {
  type AgentSummary,
  summarizeAgents,
  summarizeTrace,
  type TraceSummary,
} from '../../formats/trace-model/summarize.ts';
import { type ModelUse, summarizeModels } from '../../formats/trace-model/summarize-models.ts';
import { encodeChunk, mergeChunks, type SpanChunk } from '../../store/span-chunk.ts';
import { type SessionDigest, sessionDigest } from '../coding-sessions/session-digest.ts';
import { type AnalyzeOptions, analyzeSpans } from './analyze-spans.ts';
import type { TenantDetection } from './tenant-detection.ts';

/** One stored trace to analyze. */
export interface AnalysisInput {
  traceId: string;
  chunks: Uint8Array[];
  isSettled: boolean;
  /** See `TraceOptions`. */
  isAbandoned?: boolean;
  tenant: TenantDetection;
  /** A model's answers so far; if omitted, the detectors have no questions. */
  answers?: Answers;
  /** Detectors that crashed a thread on this trace: they are skipped. */
  without?: readonly DetectionType[];
}

/** The result to save; plain data, since it is sent between threads. */
export interface AnalysisOutcome {
  summary: TraceSummary;
  agents: AgentSummary[];
  models: ModelUse[];
  detections: Detection[];
  /** The highest confidence by `type/subtype`, fired or not. */
  signals: EngineResult['signals'];
  /** Features by which the run's risk is ranked. */
  riskColumns: number[];
  crashed: EngineResult['crashed'];
  overran: EngineResult['overran'];
  /** Open questions. */
  questions: EngineResult['questions'];
  /** Null if the trace was not sent as a conversation. */
  conversation: ConversationFigures | null;
  /** Null for a trace that is not a coding agent session. */
  sessionDigest: SessionDigest | null;
  /** All chunks merged to one without duplicates; null if there was one already. */
  compacted: SpanChunk | null;
}

/** @param onStart called before each detector */
export function analyzeChunks(
  input: AnalysisInput,
  models: ModelCatalog,
  onStart?: AnalyzeOptions['onStart'],
): AnalysisOutcome {
  const spans = mergeChunks(input.chunks, input.traceId);
  const { isSettled, isAbandoned, answers, without = [] } = input;
  const off = Object.fromEntries(without.map((type) => [type, false]));
  const tenant = { ...input.tenant, enabled: { ...input.tenant.enabled, ...off } };
  const { trace, result } = analyzeSpans(spans, { isSettled, isAbandoned, models, tenant, answers, onStart });
  return {
    summary: summarizeTrace(trace),
    agents: summarizeAgents(trace),
    models: summarizeModels(trace),
    detections: result.detections,
    signals: result.signals,
    riskColumns: [...riskColumns(trace)],
    crashed: result.crashed,
    overran: result.overran,
    questions: result.questions,
    conversation: conversationOf(trace, spans),
    sessionDigest: sessionDigest(trace, models),
    compacted: input.chunks.length > 1 ? encodeChunk(spans) : null,
  };
}
