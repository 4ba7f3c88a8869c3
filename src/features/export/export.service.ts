import type { Kysely } from 'kysely';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { VERSION } from '../../core/version.ts';
import { EXPORT_LINE_FORMAT } from '../../formats/misstep/export-line.ts';
import type { Database } from '../../store/schema.ts';
import { listTraceSizes } from '../../store/trace-list.store.ts';
import type { CallOptions } from '../_kit/caller.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import { type ExportedCounts, exportTracesTask } from './export.tasks.ts';
import { lineOf } from './export-line.ts';
import { readExportedSettings, type SettingServices } from './exported-settings.ts';

export interface ExportService {
  /**
   * All of a tenant's traces with detections and feedback, and its settings, as JSON lines that an import can restore,
   * in chunks. One trace is in memory at a time; each has its state at the time it is read.
   */
  lines(tenantId: string, callOptions?: CallOptions): Promise<AsyncGenerator<Uint8Array>>;
}

const TRACES_PER_PAGE = 200;
/** Spans per task: enough to amortize its start, few enough to share the workers. */
const SPANS_PER_TASK = 2_000;

export function createExportService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tasks: TaskRunner;
  settingServices(): SettingServices;
  tenantNoOf(tenantId: string): Promise<number>;
}): ExportService {
  const { db, clock, tasks, settingServices, tenantNoOf } = options;

  /** Ids of traces that are read together. */
  async function* groups(tenantNo: number): AsyncGenerator<string[]> {
    for (let after = ''; ; ) {
      const page = await listTraceSizes(db, tenantNo, { after, limit: TRACES_PER_PAGE });
      yield* grouped(page);
      if (page.length < TRACES_PER_PAGE) return;
      after = page.at(-1)!.traceId;
    }
  }

  async function* lines(tenantId: string, tenantNo: number, callOptions: CallOptions): AsyncGenerator<Uint8Array> {
    const total: ExportedCounts = { traces: 0, spans: 0, detections: 0 };
    const at = { tenant_id: tenantId, version: VERSION, exported_at: toRfc3339(clock.now()) };
    yield encoded({ format: EXPORT_LINE_FORMAT, kind: 'header', ...at });
    for (const setting of await readExportedSettings(settingServices(), tenantId))
      yield encoded({ format: EXPORT_LINE_FORMAT, kind: 'setting', ...setting });
    for await (const traceIds of groups(tenantNo)) {
      const counts = yield* withoutCounts(
        await tasks.start(exportTracesTask, { tenantNo, traceIds }, { tenantNo, ...callOptions }),
      );
      total.traces += counts.traces;
      total.spans += counts.spans;
      total.detections += counts.detections;
    }
    // Without this line the file is incomplete.
    yield encoded({ format: EXPORT_LINE_FORMAT, kind: 'end', ...total });
  }

  return { lines: async (tenantId, callOptions = {}) => lines(tenantId, await tenantNoOf(tenantId), callOptions) };
}

function grouped(page: readonly { traceId: string; spans: number }[]): string[][] {
  const all: string[][] = [];
  let spans = Number.POSITIVE_INFINITY;
  for (const trace of page) {
    spans += trace.spans;
    if (spans <= SPANS_PER_TASK) all.at(-1)!.push(trace.traceId);
    else {
      all.push([trace.traceId]);
      spans = trace.spans;
    }
  }
  return all;
}

/** Passes lines on, except the last, which it returns. */
async function* withoutCounts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, ExportedCounts> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const joined = Buffer.concat([held, piece]);
    const end = joined.lastIndexOf(LINE_FEED, -2) + 1;
    if (end > 0) yield joined.subarray(0, end);
    held = joined.subarray(end);
  }
  return JSON.parse(held.toString()) as ExportedCounts;
}

const LINE_FEED = 10;

function encoded(value: object): Uint8Array {
  return Buffer.from(lineOf(value));
}
