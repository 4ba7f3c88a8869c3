import { z } from 'zod';
import { DETECTION_TYPES } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';
import { SEVERITIES } from '../../core/severity.ts';
import { EXPORT_LINE_FORMAT } from '../../formats/misstep/export-line.ts';
import type { FeedbackTable } from '../../store/feedback-tables.ts';
import type { DetectionTable } from '../../store/schema.ts';

const MAX_TEXT = 1_000_000;
const detectionId = z.string().regex(/^det_[0-9a-z]{1,40}$/);
const feedbackId = z.string().regex(/^[a-z]{1,20}_[0-9a-z]{1,40}$/);
const text = z.string().max(MAX_TEXT);
const share = z.number().min(0).max(1);
const ms = z.number().int().min(0);
const format = z.literal(EXPORT_LINE_FORMAT);

const detectionBody = z.strictObject({
  type: z.enum(DETECTION_TYPES),
  subtype: z.string().max(200),
  failureModes: z.array(z.string().max(50)).max(50),
  agent: text.nullable(),
  spanIds: z.array(z.string().max(128)).max(100_000),
  step: z.number().int().nullable(),
  confidence: share,
  isCalibrated: z.boolean(),
  severity: z.enum(SEVERITIES),
  tier: z.enum(['production', 'beta', 'experimental']),
  method: z.string().max(200),
  title: text,
  explanation: text,
  businessImpact: text,
  suggestedAction: text,
  evidence: z.array(z.record(z.string(), z.json())).max(1_000),
  wastedTokens: z.number(),
  wastedCostUsd: z.number(),
  fixes: z.array(z.record(z.string(), z.json())).max(1_000),
  fingerprint: z.string().max(500),
});

const detectionLine = z.strictObject({
  format,
  kind: z.literal('detection'),
  detection_id: detectionId,
  trace_id: z.string().min(1).max(128),
  detection: detectionBody,
  validated: z.boolean(),
  is_valid: z.boolean().nullable(),
  feedback: text.nullable(),
  feedback_id: z.string().max(50).nullable(),
  validated_at: ms.nullable(),
  applied_fixes: z.json(),
  withdrawn_at: ms.nullable(),
  created_at: ms,
  updated_at: ms,
});

const feedbackLine = z.strictObject({
  format,
  kind: z.literal('feedback'),
  feedback_id: feedbackId,
  detection_id: detectionId,
  trace_id: z.string().min(1).max(128),
  detection_type: z.enum(DETECTION_TYPES),
  subtype: z.string().max(200),
  feedback_type: z.enum(['true_positive', 'false_positive', 'true_negative', 'false_negative']),
  comment: text.nullable(),
  source: z.enum(['feedback', 'validation']),
  created_by: z.string().max(100).nullable(),
  created_at: ms,
});

const settingLine = z.strictObject({ format, kind: z.literal('setting'), name: z.string(), value: z.json() });
const headerLine = z.object({ format, kind: z.literal('header') });
const endLine = z.object({ format, kind: z.literal('end') });

const exportLine = z.discriminatedUnion('kind', [headerLine, settingLine, detectionLine, feedbackLine, endLine]);
export type ExportLine = z.output<typeof exportLine>;
export type DetectionLine = z.output<typeof detectionLine>;
export type FeedbackLine = z.output<typeof feedbackLine>;
export type SettingLine = z.output<typeof settingLine>;

/** The line, or its problem. */
export function readExportLine(value: Json): ExportLine | { pointer: string; message: string } {
  const parsed = exportLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return {
    pointer: (issue?.path ?? []).map((part) => `/${String(part)}`).join(''),
    message: issue?.message ?? 'unknown',
  };
}

export function toDetectionLine(row: DetectionTable): DetectionLine {
  return {
    format: EXPORT_LINE_FORMAT,
    kind: 'detection',
    detection_id: row.detection_id,
    trace_id: row.trace_id,
    detection: JSON.parse(row.body) as DetectionLine['detection'],
    validated: row.validated === 1,
    is_valid: row.is_valid === null ? null : row.is_valid === 1,
    feedback: row.feedback,
    feedback_id: row.feedback_id,
    validated_at: row.validated_at,
    applied_fixes: row.applied_fixes === null ? null : (JSON.parse(row.applied_fixes) as Json),
    withdrawn_at: row.withdrawn_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Its issue is determined when its trace is analyzed here. */
export function toDetectionRow(line: DetectionLine, tenantNo: number): DetectionTable {
  const { detection } = line;
  return {
    tenant_no: tenantNo,
    detection_id: line.detection_id,
    trace_id: line.trace_id,
    conversation_id: null,
    detection_type: detection.type,
    subtype: detection.subtype,
    first_span_id: detection.spanIds[0] ?? '',
    agent_id: detection.agent,
    step: detection.step,
    confidence: detection.confidence,
    severity: detection.severity,
    tier: detection.tier,
    is_calibrated: detection.isCalibrated ? 1 : 0,
    fingerprint: detection.fingerprint,
    issue_id: null,
    wasted_tokens: detection.wastedTokens,
    wasted_cost_usd: detection.wastedCostUsd,
    body: JSON.stringify(detection),
    validated: line.validated ? 1 : 0,
    is_valid: line.is_valid === null ? null : line.is_valid ? 1 : 0,
    feedback: line.feedback,
    validated_at: line.validated_at,
    feedback_id: line.feedback_id,
    applied_fixes: line.applied_fixes === null ? null : JSON.stringify(line.applied_fixes),
    withdrawn_at: line.withdrawn_at,
    created_at: line.created_at,
    updated_at: line.updated_at,
  };
}

export function toFeedbackLine({ tenant_no: _, ...row }: FeedbackTable): FeedbackLine {
  return { format: EXPORT_LINE_FORMAT, kind: 'feedback', ...row } as FeedbackLine;
}

export function toFeedbackRow(
  { format: _format, kind: _kind, ...line }: FeedbackLine,
  tenantNo: number,
): FeedbackTable {
  return { tenant_no: tenantNo, ...line };
}

export function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
