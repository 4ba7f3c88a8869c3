import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Db } from '../../store/connection.ts';
import { readDetection, updateDetection } from '../../store/detection.store.ts';
import {
  countFeedback,
  countNewestFeedback,
  deleteFeedback,
  type FeedbackFilter,
  insertFeedback,
  listFeedback,
  listNewestFeedback,
  readFeedback,
} from '../../store/feedback.store.ts';
import type { FeedbackTable } from '../../store/feedback-tables.ts';
import type { Database, DetectionTable } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { Caller } from '../_kit/caller.ts';
import { callerName } from '../_kit/caller-name.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import { recordLabels } from '../calibration/record-traffic.ts';
import { isMarkedFalse } from '../detections/counted.ts';
import { type DetectionRecord, rowToDetectionRecord } from '../detections/detection.record.ts';
import { updateMarkedIssue } from '../detections/issue-status.ts';
import { recountTrace } from '../detections/recount-trace.ts';
import {
  type FeedbackRecord,
  type FeedbackType,
  isRealFailure,
  rowToFeedbackRecord,
  validationAsFeedback,
} from './feedback.record.ts';
import { type FeedbackStats, toFeedbackStats } from './feedback-stats.ts';
import { recommendationFor } from './recommend-for-subtype.ts';
import type { Goal } from './recommend-threshold.ts';
import { type RecommendationList, toRecommendationList, toRecommendationRecord } from './recommendation.record.ts';

export interface FeedbackService {
  /** The newest feedback on a detection is the effective one. @throws AppError `not_found` for an unknown detection */
  submit(
    tenantId: string,
    input: { detectionId: string; type: FeedbackType; comment: string | null },
    caller: Caller,
  ): Promise<FeedbackRecord>;
  /** Submits a validation as feedback. @throws AppError `not_found` */
  validate(
    tenantId: string,
    input: { detectionId: string; isValid: boolean; comment: string | null },
    caller: Caller,
  ): Promise<DetectionRecord>;
  /**
   * Deletes one feedback or validation; the newest remaining one of its detection is effective again. @throws AppError
   * `not_found` for unknown feedback, and if its detection was deleted
   */
  withdraw(tenantId: string, feedbackId: string): Promise<DetectionRecord>;
  /** Newest first, including validations. */
  list(tenantId: string, filter: FeedbackFilter, page: PageRequest): Promise<Page<FeedbackRecord>>;
  stats(tenantId: string): Promise<FeedbackStats>;
  /** For every subtype with feedback; read-only. */
  recommendations(tenantId: string, goal: Goal, detector: string | null): Promise<RecommendationList>;
}

/** Maximum number of feedback entries used for a recommendation. */
const MAX_LABELS = 5_000;

export function createFeedbackService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  /** For comments, which may quote a trace. */
  redactText(text: string): string;
  tenantNoOf(tenantId: string): Promise<number>;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
}): FeedbackService {
  const { db, clock, random, tenantNoOf } = options;

  /** Stores the feedback, makes it the detection's newest and recounts the trace and the issue, in one transaction. */
  async function store(
    tenantId: string,
    detectionId: string,
    toInput: (detection: DetectionTable) => Pick<FeedbackTable, 'feedback_type' | 'comment' | 'source'>,
    caller: Caller,
  ): Promise<{ feedback: FeedbackTable; detection: DetectionTable }> {
    const tenantNo = await tenantNoOf(tenantId);
    return inTransaction(db, async (transaction) => {
      const detection = await requireDetection(transaction, tenantNo, detectionId);
      const input = toInput(detection);
      const feedback = {
        tenant_no: tenantNo,
        feedback_id: newId('fbk', clock, random),
        detection_id: detectionId,
        trace_id: detection.trace_id,
        detection_type: detection.detection_type,
        subtype: detection.subtype,
        ...input,
        comment: input.comment === null ? null : options.redactText(input.comment),
        created_by: callerName(caller),
        created_at: clock.now(),
      };
      await insertFeedback(transaction, feedback);
      return { feedback, detection: await mark(transaction, detection, feedback, clock.now()) };
    });
  }

  return {
    async submit(tenantId, { detectionId, type, comment }, caller) {
      const input = { feedback_type: type, comment, source: 'feedback' };
      const { feedback } = await store(tenantId, detectionId, () => input, caller);
      return rowToFeedbackRecord({ ...feedback, newest_id: feedback.feedback_id });
    },
    async validate(tenantId, { detectionId, isValid, comment }, caller) {
      const toInput = (detection: DetectionTable) => ({
        feedback_type: validationAsFeedback(isValid, detection.severity !== 'observation'),
        comment,
        source: 'validation',
      });
      return rowToDetectionRecord((await store(tenantId, detectionId, toInput, caller)).detection);
    },
    async withdraw(tenantId, feedbackId) {
      const tenantNo = await tenantNoOf(tenantId);
      return inTransaction(db, async (transaction) => {
        const withdrawn = await readFeedback(transaction, tenantNo, feedbackId);
        if (withdrawn === null) throw new AppError('not_found', `There is no feedback ${feedbackId}.`);
        const detection = await requireDetection(transaction, tenantNo, withdrawn.detection_id);
        await deleteFeedback(transaction, tenantNo, feedbackId);
        const remaining = { detectionId: detection.detection_id, detectionType: null, feedbackType: null };
        const [newest = null] = await listFeedback(transaction, tenantNo, remaining, {
          after: null,
          offset: 0,
          limit: 1,
        });
        return rowToDetectionRecord(await mark(transaction, detection, newest, clock.now()));
      });
    },
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listFeedback(db, tenantNo, filter, toRange(page));
      return toPage(rows, await countFeedback(db, tenantNo, filter), page, {
        toItem: rowToFeedbackRecord,
        positionOf: (row) => ({ at: row.created_at, id: row.feedback_id }),
      });
    },
    async stats(tenantId) {
      const counts = await countNewestFeedback(db, await tenantNoOf(tenantId));
      return toFeedbackStats(
        counts.map((row) => ({
          type: row.detection_type,
          subtype: row.subtype,
          feedback: row.feedback_type as FeedbackType,
          count: row.count,
        })),
      );
    },
    async recommendations(tenantId, goal, detector) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listNewestFeedback(db, tenantNo, MAX_LABELS);
      const tenant = await options.detectionOf(tenantNo);
      const requested = rows.filter(({ detection_type: type }) => detector === null || type === detector);
      const items = [...Map.groupBy(requested, (row) => `${row.detection_type}/${row.subtype}`)]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([, labelled]) => recommendationFor(labelled, tenant, goal) ?? [])
        .map((recommended) => toRecommendationRecord(tenantId, recommended));
      return toRecommendationList(goal, items);
    },
  };
}

/** Makes a feedback the effective one; null for none. Recounts the trace and the issue if that changes them. */
async function mark(
  db: Db,
  detection: DetectionTable,
  newest: FeedbackTable | null,
  now: number,
): Promise<DetectionTable> {
  const values = {
    validated: newest === null ? 0 : 1,
    is_valid: newest === null ? null : isRealFailure(newest.feedback_type as FeedbackType) ? 1 : 0,
    feedback: newest?.comment ?? null,
    validated_at: newest?.created_at ?? null,
    feedback_id: newest?.feedback_id ?? null,
  };
  await updateDetection(db, detection.tenant_no, detection.detection_id, values);
  const marked = { ...detection, ...values };
  if (isMarkedFalse(marked) !== isMarkedFalse(detection)) {
    await recountTrace(db, detection);
    await updateMarkedIssue(db, marked, now);
  }
  await recordLabels(db, detection.tenant_no, now);
  return marked;
}

async function requireDetection(db: Db, tenantNo: number, detectionId: string): Promise<DetectionTable> {
  const detection = await readDetection(db, tenantNo, detectionId);
  if (detection === null) throw new AppError('not_found', `There is no detection ${detectionId}.`);
  return detection;
}
