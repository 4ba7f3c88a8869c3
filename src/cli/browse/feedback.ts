import type { DetectionType } from '../../core/detection.ts';
import {
  feedbackRecommendationsOperation,
  feedbackStatsOperation,
  listFeedbackOperation,
  submitFeedbackOperation,
  withdrawFeedbackOperation,
} from '../../features/feedback/feedback.operations.ts';
import type { FeedbackRecord, FeedbackType } from '../../features/feedback/feedback.record.ts';
import type { FeedbackFigures } from '../../features/feedback/feedback-stats.ts';
import type { RecommendationRecord } from '../../features/feedback/recommendation.record.ts';
import type { CommandContext } from '../context.ts';
import { count } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import { type Column, table } from '../views/table.ts';
import type { PageFlags } from './page-flags.ts';
import { pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';

export interface RecommendFlags {
  type?: DetectionType;
  precision?: number;
}

export interface FeedbackListFlags extends PageFlags {
  type?: DetectionType;
  said?: FeedbackType;
  detection?: string;
}

export interface NewFeedback {
  detectionId: string;
  type: FeedbackType;
  comment?: string;
}

export async function addFeedback(context: CommandContext, feedback: NewFeedback): Promise<void> {
  const backend = await context.backend();
  const stored = await backend.call(submitFeedbackOperation, {
    tenant_id: await backend.tenantId(),
    detection_id: feedback.detectionId,
    feedback_type: feedback.type,
    comment: feedback.comment,
  });
  if (context.options.isJson) context.print.json(stored);
  else context.print.data(`${stored.feedback_id}\n`);
}

export async function withdrawFeedback(context: CommandContext, feedbackId: string): Promise<void> {
  const backend = await context.backend();
  const detection = await backend.call(withdrawFeedbackOperation, {
    tenant_id: await backend.tenantId(),
    feedback_id: feedbackId,
  });
  if (context.options.isJson) context.print.json(detection);
  else context.print.note(`Withdrawn: ${feedbackId}.`);
}

export async function listFeedback(context: CommandContext, flags: FeedbackListFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listFeedbackOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    detection_id: flags.detection,
    detection_type: flags.type,
    feedback_type: flags.said,
  });
  printPage(context, page, FEEDBACK_COLUMNS, 'feedback');
}

export async function showFeedbackStats({ backend, options, print, style }: CommandContext): Promise<void> {
  const store = await backend();
  const stats = await store.call(feedbackStatsOperation, { tenant_id: await store.tenantId() });
  if (options.isJson) return print.json(stats);
  if (stats.items.length === 0) return print.note('No feedback yet.');
  const rows = stats.subtypes.map((row) => ({ failure: `${row.detection_type}/${row.subtype}`, ...row }));
  print.data(table([...rows, { failure: 'all', ...stats.overall }], STATS_COLUMNS, style));
  print.note(`Recall: ${stats.recall_estimate}`);
}

export async function recommendThresholds(context: CommandContext, flags: RecommendFlags): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const goal = flags.precision === undefined ? {} : { goal: 'precision' as const, target_precision: flags.precision };
  const list = await store.call(feedbackRecommendationsOperation, {
    tenant_id: await store.tenantId(),
    detection_type: flags.type,
    ...goal,
  });
  if (options.isJson) return print.json(list);
  if (list.items.length === 0) return print.note('No feedback yet.');
  print.data(table(list.items, RECOMMENDATION_COLUMNS, style));
  for (const { detector, subtype, reason } of list.items)
    print.data(`${detector}/${subtype}: ${printableLine(reason)}\n`);
  for (const { detector, subtype, recommended } of list.items)
    if (recommended !== null) print.note(`To apply it: misstep detectors set ${detector}/${subtype}=${recommended}`);
}

const FEEDBACK_COLUMNS: Column<FeedbackRecord>[] = [
  { title: 'created', text: (feedback) => feedback.created_at },
  { title: 'said', text: (feedback) => feedback.feedback_type },
  { title: 'counts', text: (feedback) => (feedback.is_current ? 'yes' : 'replaced') },
  { title: 'failure', text: (feedback) => `${feedback.detection_type}/${feedback.subtype}` },
  { title: 'comment', text: (feedback) => printableLine(feedback.comment ?? '–'), limit: 40 },
  { title: 'detection', text: (feedback) => feedback.detection_id },
];

const STATS_COLUMNS: Column<FeedbackFigures & { failure: string }>[] = [
  { title: 'failure', text: (row) => row.failure },
  { title: 'tp', text: (row) => count(row.true_positives), align: 'right' },
  { title: 'fp', text: (row) => count(row.false_positives), align: 'right' },
  { title: 'tn', text: (row) => count(row.true_negatives), align: 'right' },
  { title: 'fn', text: (row) => count(row.false_negatives), align: 'right' },
  { title: 'precision', text: (row) => figure(row.precision, row.interval.precision), align: 'right' },
  { title: 'recall', text: (row) => figure(row.recall, row.interval.recall), align: 'right' },
  { title: 'f1', text: (row) => figure(row.f1, row.interval.f1), align: 'right' },
];

const RECOMMENDATION_COLUMNS: Column<RecommendationRecord>[] = [
  { title: 'failure', text: (row) => `${row.detector}/${row.subtype}` },
  { title: 'samples', text: (row) => count(row.samples), align: 'right' },
  { title: 'advice', text: (row) => row.action },
  { title: 'now', text: (row) => row.current.toFixed(2), align: 'right' },
  { title: 'better', text: (row) => (row.recommended === null ? '–' : String(row.recommended)), align: 'right' },
  { title: 'f1', text: ({ before, after }) => change(before.f1, after?.f1), align: 'right' },
  {
    title: 'precision',
    text: ({ before, after }) => change(before.precision, after?.precision),
    align: 'right',
  },
];

function figure(value: number | null, interval: [number, number] | null): string {
  if (value === null || interval === null) return '–';
  return `${value.toFixed(2)} (${interval.map((end) => end.toFixed(2)).join('–')})`;
}

function change(before: number | null, after: number | null | undefined): string {
  const shown = (value: number | null) => (value === null ? '–' : value.toFixed(2));
  return after === undefined ? shown(before) : `${shown(before)} -> ${shown(after)}`;
}
