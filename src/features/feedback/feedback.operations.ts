import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { detectionType } from '../_kit/vocabulary.ts';
import { detectionRecord } from '../detections/detection.record.ts';
import { FEEDBACK_TYPES, feedbackRecord } from './feedback.record.ts';
import { feedbackStats } from './feedback-stats.ts';
import { recommendationList } from './recommendation.record.ts';

const PATH = '/tenants/{tenant_id}/feedback';
const READ = { kind: 'tenant', scope: 'read' } as const;
const WRITE = { kind: 'tenant', scope: 'write' } as const;
const comment = z.string().max(4_000);

export const submitFeedbackOperation = defineOperation({
  id: 'feedback.submit',
  method: 'POST',
  path: PATH,
  summary: 'Submits feedback on a detection; the newest feedback counts',
  access: WRITE,
  params: tenantParams,
  body: z.strictObject({
    detection_id: z.string().min(1).max(200).describe('Also of an observation or a withdrawn detection'),
    feedback_type: z
      .enum(FEEDBACK_TYPES)
      .describe(
        '`false_negative`: an observation that was a real failure; `true_negative`: an observation that was not',
      ),
    comment: comment.optional(),
  }),
  output: feedbackRecord,
  status: 201,
  run: (services, input, caller) =>
    services.feedback.submit(
      input.tenant_id,
      { detectionId: input.detection_id, type: input.feedback_type, comment: input.comment ?? null },
      caller,
    ),
});

export const validateDetectionOperation = defineOperation({
  id: 'detections.validate',
  method: 'POST',
  path: '/tenants/{tenant_id}/detections/{detection_id}/validate',
  summary: 'Validates a detection: real or not; equivalent to feedback',
  access: WRITE,
  params: tenantParams.extend({ detection_id: z.string() }),
  body: z.strictObject({ is_valid: z.boolean(), feedback: comment.optional() }),
  output: detectionRecord,
  status: 200,
  run: (services, input, caller) =>
    services.feedback.validate(
      input.tenant_id,
      { detectionId: input.detection_id, isValid: input.is_valid, comment: input.feedback ?? null },
      caller,
    ),
});

export const withdrawFeedbackOperation = defineOperation({
  id: 'feedback.withdraw',
  method: 'DELETE',
  path: `${PATH}/{feedback_id}`,
  summary: 'Deletes feedback or a validation; the newest remaining one on the detection counts again',
  access: WRITE,
  params: tenantParams.extend({ feedback_id: z.string().min(1).max(200) }),
  output: detectionRecord,
  status: 200,
  run: (services, input) => services.feedback.withdraw(input.tenant_id, input.feedback_id),
});

export const listFeedbackOperation = defineOperation({
  id: 'feedback.list',
  method: 'GET',
  path: PATH,
  summary: 'Feedback and validations, newest first',
  access: READ,
  params: tenantParams,
  query: pageQuery.extend({
    detection_id: z.string().optional(),
    detection_type: detectionType.optional(),
    feedback_type: z.enum(FEEDBACK_TYPES).optional(),
  }),
  output: pageOf(feedbackRecord),
  status: 200,
  run: (services, input) =>
    services.feedback.list(
      input.tenant_id,
      {
        detectionId: input.detection_id ?? null,
        detectionType: input.detection_type ?? null,
        feedbackType: input.feedback_type ?? null,
      },
      toPageRequest(input),
    ),
});

export const feedbackStatsOperation = defineOperation({
  id: 'feedback.stats',
  method: 'GET',
  path: `${PATH}/stats`,
  summary: 'Precision, recall and F1 by detection type and by subtype, from the newest feedback on each detection',
  access: READ,
  params: tenantParams,
  output: feedbackStats,
  status: 200,
  run: (services, input) => services.feedback.stats(input.tenant_id),
});

export const feedbackRecommendationsOperation = defineOperation({
  id: 'feedback.recommendations',
  method: 'GET',
  path: `${PATH}/recommendations`,
  summary: 'Recommended firing thresholds, based on your feedback; read-only',
  access: READ,
  params: tenantParams,
  query: z.object({
    goal: z.enum(['f1', 'precision']).default('f1'),
    target_precision: z.coerce.number().min(0.5).max(1).default(0.9).describe('For the goal `precision`'),
    detection_type: detectionType.optional(),
  }),
  output: recommendationList,
  status: 200,
  run: (services, input) =>
    services.feedback.recommendations(
      input.tenant_id,
      input.goal === 'f1' ? { kind: 'f1' } : { kind: 'precision', target: input.target_precision },
      input.detection_type ?? null,
    ),
});

export const feedbackOperations = [
  submitFeedbackOperation,
  validateDetectionOperation,
  withdrawFeedbackOperation,
  listFeedbackOperation,
  feedbackStatsOperation,
  feedbackRecommendationsOperation,
];
