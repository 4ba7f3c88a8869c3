import { encodeSpanLine } from '../../formats/misstep/span-line.ts';
import { detectionsOfTrace } from '../../store/detection.store.ts';
import { feedbackOfTrace } from '../../store/feedback.store.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { mergeChunks } from '../../store/span-chunk.ts';
import { defineTask } from '../offload/task.ts';
import { lineOf, toDetectionLine, toFeedbackLine } from './export-line.ts';

/** Contents of the traces of one task. */
export interface ExportedCounts {
  traces: number;
  spans: number;
  detections: number;
}

/** Lines of some traces; the last line has the counts: the export removes it. */
export const exportTracesTask = defineTask()<{ tenantNo: number; traceIds: string[] }>({
  name: 'export.traces',
  kind: 'read',
  async *run({ db }, { tenantNo, traceIds }) {
    const counts: ExportedCounts = { traces: 0, spans: 0, detections: 0 };
    for (const traceId of traceIds) {
      const spans = mergeChunks(await readChunks(db, tenantNo, traceId), traceId);
      for (const span of spans) yield `${encodeSpanLine(span)}\n`;
      const detections = await detectionsOfTrace(db, tenantNo, traceId);
      for (const row of detections) yield lineOf(toDetectionLine(row));
      for (const row of await feedbackOfTrace(db, tenantNo, traceId)) yield lineOf(toFeedbackLine(row));
      counts.traces += 1;
      counts.spans += spans.length;
      counts.detections += detections.length;
    }
    yield lineOf(counts);
  },
});
