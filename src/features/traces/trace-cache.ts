import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Span } from '../../core/span.ts';
import type { Trace } from '../../core/trace.ts';
import { buildTrace, type TraceOptions } from '../../formats/trace-model/build-trace.ts';
import type { Database, TraceTable } from '../../store/schema.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { mergeChunks } from '../../store/span-chunk.ts';
import { readTrace } from '../../store/trace.store.ts';

/** Whether a stored trace is built as one that has ended. */
export function endingOf(row: TraceTable): Pick<TraceOptions, 'isSettled' | 'isAbandoned'> {
  const isEnded = row.is_settled === 1 && row.status !== 'running';
  return { isSettled: row.root_ended === 1 || isEnded, isAbandoned: isEnded };
}

/** A stored trace, built for display. */
export interface BuiltTrace {
  row: TraceTable;
  trace: Trace;
  /** The span behind each of `trace.steps`. */
  spans: Span[];
}

/**
 * Reads traces and caches the last one for a short time: windows of a long trace are requested one after the other, and
 * unpacking it takes seconds.
 */
export class TraceCache {
  readonly #lifetimeMs: number;
  #last: { key: string; trace: Trace; spans: Span[] } | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param lifetimeMs 0: nothing is cached */
  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** @throws AppError `not_found` */
  async read(
    { db, models }: { db: Kysely<Database>; models: ModelCatalog },
    tenantNo: number,
    traceId: string,
  ): Promise<BuiltTrace> {
    const row = await readTrace(db, tenantNo, traceId);
    if (!row) throw new AppError('not_found', `There is no trace ${traceId}.`);
    const ending = endingOf(row);
    const key = JSON.stringify([tenantNo, traceId, row.version, ending]);
    if (this.#last?.key !== key) {
      // Two long traces do not fit into a worker at once.
      this.forget();
      const sent = mergeChunks(await readChunks(db, tenantNo, traceId), traceId);
      const trace = buildTrace(sent, { models, ...ending });
      const spanOf = new Map(sent.map((span) => [span.spanId, span]));
      this.#last = { key, trace, spans: trace.steps.map((step) => spanOf.get(step.spanId) as Span) };
    }
    const { trace, spans } = this.#last;
    this.#restartExpiry();
    return { row, trace, spans };
  }

  forget(): void {
    this.#last = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #restartExpiry(): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#lifetimeMs === 0) this.#last = null;
    else this.#timer = setTimeout(() => this.forget(), this.#lifetimeMs).unref();
  }
}
