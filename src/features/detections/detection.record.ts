import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { Detection } from '../../core/detection.ts';
import { BASES, basisOf } from '../../detectors/_runner/maturity-limit.ts';
import type { DetectionTable } from '../../store/schema.ts';
import { detectionType, detectorTier, severity } from '../_kit/vocabulary.ts';
import { type AppliedFixes, fixRecord, readAppliedFixes, toFixRecords } from './fix.record.ts';

const evidenceRecord = z
  .object({
    kind: z.string(),
    span_id: z.string(),
    step: z
      .number()
      .int()
      .nullable()
      .describe('Zero-based index of the step; null for evidence that a version before this field stored'),
    step_count: z.number().int().describe('Number of steps with this text, which is listed once, at the first of them'),
    path: z.string().nullable(),
    quote: z.string().nullable(),
    value: z.json(),
  })
  .meta({ id: 'Evidence' });

/** A detection in API form. Times are RFC 3339 in UTC. */
export const detectionRecord = z
  .object({
    detection_id: z.string(),
    detection_type: detectionType,
    subtype: z.string(),
    failure_modes: z.array(z.string()).describe('F and MAST codes'),
    trace_id: z.string(),
    conversation_id: z.string().nullable(),
    agent_id: z.string().nullable().describe('The agent at fault; in a workflow whose steps name no agent, the node'),
    agent_kind: z
      .enum(['agent', 'node'])
      .nullable()
      .describe('What `agent_id` names. A node is not in `agent_ids` of the trace; null if `agent_id` is'),
    span_ids: z.array(z.string()),
    step: z.number().int().nullable().describe('Zero-based index of the decisive step'),
    confidence: z.number().min(0).max(1),
    severity: severity,
    tier: detectorTier.describe('Tier of the subtype'),
    method: z.string(),
    title: z.string(),
    explanation: z.string(),
    business_impact: z.string(),
    suggested_action: z.string(),
    evidence: z.array(evidenceRecord),
    wasted_tokens: z.number(),
    wasted_cost_usd: z.number(),
    validated: z.boolean(),
    validation: z.object({ is_valid: z.boolean(), feedback: z.string().nullable(), at: z.string() }).nullable(),
    fixes: z.array(fixRecord),
    calibrated: z.boolean().describe('Whether `basis` is `calibrated`; false for a fact'),
    basis: z.enum(BASES).describe('`fact`: read directly from the trace, confidence 0.95; `uncalibrated`: at most 0.7'),
    withdrawn_at: z.string().nullable(),
    fingerprint: z.string(),
    issue_id: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'Detection' });

export type DetectionRecord = z.input<typeof detectionRecord>;

/** Stored facts of a detection besides the core detection. */
export interface DetectionIdentity {
  detectionId: string;
  traceId: string;
  conversationId: string | null;
  issueId: string | null;
  createdAtMs: number;
  withdrawnAtMs: number | null;
  validation: DetectionRecord['validation'];
  appliedFixes: AppliedFixes;
}

export function toDetectionRecord(detection: Detection, identity: DetectionIdentity): DetectionRecord {
  return {
    detection_id: identity.detectionId,
    detection_type: detection.type,
    subtype: detection.subtype,
    failure_modes: detection.failureModes,
    trace_id: identity.traceId,
    conversation_id: identity.conversationId,
    agent_id: detection.agent,
    agent_kind: agentKind(detection),
    span_ids: detection.spanIds,
    step: detection.step,
    confidence: detection.confidence,
    severity: detection.severity,
    tier: detection.tier,
    method: detection.method,
    title: detection.title,
    explanation: detection.explanation,
    business_impact: detection.businessImpact,
    suggested_action: detection.suggestedAction,
    evidence: detection.evidence.map(({ kind, spanId, step, stepCount, path, quote, value }) => ({
      kind,
      span_id: spanId,
      step: step ?? null,
      step_count: stepCount ?? 1,
      path,
      quote,
      value,
    })),
    wasted_tokens: detection.wastedTokens,
    wasted_cost_usd: detection.wastedCostUsd,
    validated: identity.validation !== null,
    validation: identity.validation,
    fixes: toFixRecords(identity.detectionId, detection.fixes, identity.appliedFixes),
    calibrated: basisOf(detection) === 'calibrated',
    basis: basisOf(detection),
    withdrawn_at: identity.withdrawnAtMs === null ? null : toRfc3339(identity.withdrawnAtMs),
    fingerprint: detection.fingerprint,
    issue_id: identity.issueId,
    created_at: toRfc3339(identity.createdAtMs),
  };
}

function agentKind({ agent, isNode }: Detection): DetectionRecord['agent_kind'] {
  if (agent === null) return null;
  return isNode === true ? 'node' : 'agent';
}

export function rowToDetectionRecord(row: DetectionTable): DetectionRecord {
  return toDetectionRecord(JSON.parse(row.body) as Detection, {
    detectionId: row.detection_id,
    traceId: row.trace_id,
    conversationId: row.conversation_id,
    issueId: row.issue_id,
    createdAtMs: row.created_at,
    withdrawnAtMs: row.withdrawn_at,
    validation: toValidation(row),
    appliedFixes: readAppliedFixes(row.applied_fixes),
  });
}

function toValidation(row: DetectionTable): DetectionRecord['validation'] {
  if (row.validated === 0 || row.validated_at === null) return null;
  return { is_valid: row.is_valid === 1, feedback: row.feedback, at: toRfc3339(row.validated_at) };
}
