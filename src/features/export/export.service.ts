import type { Kysely } from 'kysely';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { VERSION } from '../../core/version.ts';
import { EXPORT_LINE_FORMAT } from '../../formats/misstep/export-line.ts';
import { encodeSpanLine } from '../../formats/misstep/span-line.ts';
import { detectionsOfTrace } from '../../store/detection.store.ts';
import { feedbackOfTrace } from '../../store/feedback.store.ts';
import type { Database } from '../../store/schema.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { listTraceIds } from '../../store/trace.store.ts';
import { mergeChunks } from '../analysis/analyze-chunks.ts';
import type { Services } from '../services.ts';
import { toDetectionLine, toFeedbackLine } from './export-line.ts';
import { readExportedSettings } from './exported-settings.ts';

export interface ExportService {
  /**
   * All of a tenant's traces with detections and what was said of them, and its settings, as lines of JSON that an import
   * takes back. One trace is held at a time; each is as it is when its turn comes.
   */
  lines(tenantId: string): Promise<AsyncGenerator<string>>;
}

const TRACES_A_PAGE = 200;
const ALL = { agentId: null, status: null, from: null, to: null };

export function createExportService(options: {
  db: Kysely<Database>;
  clock: Clock;
  settingServices(): Pick<Services, 'settings' | 'thresholds' | 'calibration'>;
  tenantNoOf(tenantId: string): Promise<number>;
}): ExportService {
  const { db, clock, settingServices, tenantNoOf } = options;

  async function* traceIds(tenantNo: number): AsyncGenerator<string> {
    for (let after = ''; ; ) {
      const page = await listTraceIds(db, tenantNo, ALL, { after, limit: TRACES_A_PAGE });
      yield* page;
      if (page.length < TRACES_A_PAGE) return;
      after = page.at(-1) as string;
    }
  }

  async function* lines(tenantId: string, tenantNo: number): AsyncGenerator<string> {
    const total = { traces: 0, spans: 0, detections: 0 };
    const at = { tenant_id: tenantId, version: VERSION, exported_at: toRfc3339(clock.now()) };
    yield lineOf({ format: EXPORT_LINE_FORMAT, kind: 'header', ...at });
    for (const setting of await readExportedSettings(settingServices(), tenantId))
      yield lineOf({ format: EXPORT_LINE_FORMAT, kind: 'setting', ...setting });
    for await (const traceId of traceIds(tenantNo)) {
      const spans = mergeChunks(await readChunks(db, tenantNo, traceId), traceId);
      for (const span of spans) yield `${encodeSpanLine(span)}\n`;
      const detections = await detectionsOfTrace(db, tenantNo, traceId);
      for (const row of detections) yield lineOf(toDetectionLine(row));
      for (const row of await feedbackOfTrace(db, tenantNo, traceId)) yield lineOf(toFeedbackLine(row));
      total.traces += 1;
      total.spans += spans.length;
      total.detections += detections.length;
    }
    // Without this line a file was cut short.
    yield lineOf({ format: EXPORT_LINE_FORMAT, kind: 'end', ...total });
  }

  return { lines: async (tenantId) => lines(tenantId, await tenantNoOf(tenantId)) };
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
