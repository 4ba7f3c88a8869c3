import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { FeedbackRow } from '../../store/feedback.store.ts';

export const FEEDBACK_TYPES = ['true_positive', 'false_positive', 'true_negative', 'false_negative'] as const;
export type FeedbackType = (typeof FEEDBACK_TYPES)[number];

/** One user's feedback on a detection. Times are RFC 3339 in UTC. */
export const feedbackRecord = z
  .object({
    feedback_id: z.string(),
    detection_id: z.string(),
    trace_id: z.string(),
    detection_type: z.string(),
    subtype: z.string(),
    feedback_type: z.enum(FEEDBACK_TYPES),
    is_valid: z.boolean().describe('The failure is real: true for true_positive and false_negative'),
    comment: z.string().nullable(),
    source: z.enum(['feedback', 'validation']).describe('Operation that submitted it; both count equally'),
    is_current: z.boolean().describe('True for the newest feedback on the detection, which is the one that counts'),
    created_by: z.string().nullable().describe('Id of the API key, or `operator`'),
    created_at: z.string(),
  })
  .meta({ id: 'Feedback' });
export type FeedbackRecord = z.input<typeof feedbackRecord>;

export function isRealFailure(type: FeedbackType): boolean {
  return type === 'true_positive' || type === 'false_negative';
}

/** A validation as feedback: it states whether the failure is real; whether it was reported is known. */
export function validationAsFeedback(isValid: boolean, wasReported: boolean): FeedbackType {
  if (wasReported) return isValid ? 'true_positive' : 'false_positive';
  return isValid ? 'false_negative' : 'true_negative';
}

export function rowToFeedbackRecord(row: FeedbackRow): FeedbackRecord {
  const type = row.feedback_type as FeedbackType;
  return {
    feedback_id: row.feedback_id,
    detection_id: row.detection_id,
    trace_id: row.trace_id,
    detection_type: row.detection_type,
    subtype: row.subtype,
    feedback_type: type,
    is_valid: isRealFailure(type),
    comment: row.comment,
    source: row.source as FeedbackRecord['source'],
    is_current: row.newest_id === row.feedback_id,
    created_by: row.created_by,
    created_at: toRfc3339(row.created_at),
  };
}
