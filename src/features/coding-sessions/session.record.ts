import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { Severity } from '../../core/severity.ts';
import type { SessionEnd } from '../../core/trace.ts';
import { sessionEnd, severity } from '../_kit/vocabulary.ts';
import type { SessionDigest } from './session-digest.ts';

/** A coding agent session before its record is written: from the store or from the agent's files. */
export interface SessionItem {
  sessionId: string;
  traceId: string | null;
  /** The session that this one was forked from, or that started it as a subagent. */
  parentId: string | null;
  agent: string;
  title: string | null;
  task: string | null;
  project: string | null;
  branch: string | null;
  /** Null if the session was not read in full. */
  endedBy: SessionEnd | null;
  startedAtMs: number | null;
  endedAtMs: number | null;
  totalTokens: number | null;
  costUsd: number | null;
  models: string[];
  detectionCount: number | null;
  maxSeverity: Severity | null;
  /** Null if the session was not read in full. */
  digest: SessionDigest | null;
}

/** Durations in milliseconds, cost in US dollars, times RFC 3339. Figures are null until the session was read in full. */
export const codingSessionRecord = z
  .object({
    session_id: z.string(),
    trace_id: z.string().nullable(),
    parent_id: z
      .string()
      .nullable()
      .describe('Session that this one was forked from, or that started it as a subagent'),
    agent: z.string().describe('Framework of the trace: claude-code, codex, …'),
    title: z.string().nullable(),
    task: z.string().nullable().describe('First prompt'),
    project: z.string().nullable().describe('Root folder of the project'),
    branch: z.string().nullable(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    duration_ms: z.number().nullable(),
    ended_by: sessionEnd.nullable(),
    total_tokens: z.number().nullable(),
    cost_usd: z.number().nullable().describe('Without the models in `unpriced_models`'),
    models: z.array(z.string()),
    unpriced_models: z.array(z.string()).describe('Models that used tokens and have no known price'),
    partial_usage_calls: z
      .number()
      .int()
      .nullable()
      .describe('Model calls whose recorded output tokens are incomplete: tokens and cost are lower bounds'),
    refusals: z.number().int().nullable().describe('Tool calls that a user or a policy did not allow'),
    interrupts: z.number().int().nullable(),
    failures: z.number().int().nullable().describe('Tool calls that ran and failed'),
    compactions: z.number().int().nullable(),
    detection_count: z.number().int().nullable(),
    max_severity: severity.nullable(),
  })
  .meta({ id: 'CodingSession' });
export type CodingSessionRecord = z.output<typeof codingSessionRecord>;

export function toCodingSessionRecord(item: SessionItem): CodingSessionRecord {
  const { startedAtMs, endedAtMs, digest } = item;
  return {
    session_id: item.sessionId,
    trace_id: item.traceId,
    parent_id: item.parentId,
    agent: item.agent,
    title: item.title,
    task: item.task,
    project: item.project,
    branch: item.branch,
    started_at: startedAtMs === null ? null : toRfc3339(startedAtMs),
    ended_at: endedAtMs === null ? null : toRfc3339(endedAtMs),
    duration_ms: startedAtMs === null || endedAtMs === null ? null : Math.max(0, endedAtMs - startedAtMs),
    ended_by: item.endedBy,
    total_tokens: item.totalTokens,
    cost_usd: item.costUsd,
    models: item.models,
    unpriced_models: digest?.unpricedModels ?? [],
    partial_usage_calls: digest?.partialUsageCalls ?? null,
    refusals: digest?.refusals ?? null,
    interrupts: digest?.interrupts ?? null,
    failures: digest?.failures ?? null,
    compactions: digest?.compactions ?? null,
    detection_count: item.detectionCount,
    max_severity: item.maxSeverity,
  };
}
