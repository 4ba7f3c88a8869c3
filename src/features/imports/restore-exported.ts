import type { Json } from '../../core/json.ts';
import { parseJson } from '../../core/json.ts';
import type { Rejection } from '../../core/span.ts';
import { EXPORT_LINE_FORMAT, isExportLine } from '../../formats/misstep/export-line.ts';
import type { Db } from '../../store/connection.ts';
import { restoreDetections } from '../../store/detection.store.ts';
import { restoreFeedback } from '../../store/feedback.store.ts';
import { readTraces } from '../../store/trace.store.ts';
import {
  type DetectionLine,
  type ExportLine,
  type FeedbackLine,
  readExportLine,
  toDetectionRow,
  toFeedbackRow,
} from '../export/export-line.ts';

const SNIFFED_BYTES = 100;

/** A line of an export other than a span; null for any other record. */
export function readExported(bytes: Buffer | null): ExportLine | { pointer: string; message: string } | null {
  if (bytes === null || !bytes.subarray(0, SNIFFED_BYTES).includes(EXPORT_LINE_FORMAT)) return null;
  const value = parseJson(bytes.toString());
  return isExportLine(value) ? readExportLine(value) : null;
}

/** Texts of an export were redacted by their exporter, but a file may have been written by hand. */
export function redactedLine<Line extends ExportLine>(line: Line, redactText: (text: string) => string): Line {
  return redactIn(line as unknown as Json, redactText) as unknown as Line;
}

function redactIn(value: Json, redactText: (text: string) => string): Json {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map((item) => redactIn(item, redactText));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactIn(item, redactText)]));
}

/** An error with its record in the file. */
export type PlacedRejection = Rejection & { record: number; line: number };

export interface PlacedLine<Line> {
  record: number;
  line: number;
  exported: Line;
}

/**
 * Restores detections and feedback, under their ids, for existing traces; call it in the transaction
 * that stored the spans. Existing rows are kept.
 */
export async function restoreExported(
  db: Db,
  tenantNo: number,
  placed: readonly PlacedLine<DetectionLine | FeedbackLine>[],
): Promise<PlacedRejection[]> {
  if (placed.length === 0) return [];
  const traces = await readTraces(db, tenantNo, [...new Set(placed.map(({ exported }) => exported.trace_id))]);
  const [fitting, unplaced] = [
    placed.filter(({ exported }) => traces.has(exported.trace_id)),
    placed.filter(({ exported }) => !traces.has(exported.trace_id)),
  ];
  const lines = fitting.map(({ exported }) => exported);
  await restoreDetections(
    db,
    lines.flatMap((line) => (line.kind === 'detection' ? toDetectionRow(line, tenantNo) : [])),
  );
  await restoreFeedback(
    db,
    lines.flatMap((line) => (line.kind === 'feedback' ? toFeedbackRow(line, tenantNo) : [])),
  );
  return unplaced.map(({ record, line }) => ({
    record,
    line,
    pointer: '/trace_id',
    message: 'its trace does not exist',
  }));
}
