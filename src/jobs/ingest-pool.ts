import { AppError } from '../core/app-error.ts';
import { isJsonWithin } from '../core/bounded-json.ts';
import { WorkerUnavailableError } from '../core/worker-unavailable-error.ts';
import { systemTimer } from '../features/ingest/commit-queue.ts';
import { type BodyDecoder, type PreparedBody, prepareSpans } from '../features/ingest/prepare.ts';
import type { PrepareExecutor, PrepareRequest } from '../features/ingest/prepare-executor.ts';
import { PrepareQueue } from '../features/ingest/prepare-queue.ts';
import type { RedactionOptions } from '../formats/redaction/kinds.ts';
import { createRedactor } from '../formats/redaction/redactor.ts';
import { WorkerCrashError, WorkerPool, type WorkerPoolState } from './worker-pool.ts';
import type { WorkerTasks } from './worker-tasks.ts';
import type { WorkerEntry } from './worker-thread.ts';

export interface IngestPoolOptions {
  /** Worker threads; they start on first use. */
  size: number;
  entry: WorkerEntry;
  redaction: RedactionOptions;
  /** A body that takes longer is rejected; its worker is stopped and replaced. */
  timeoutMs: number;
}

export interface IngestPool extends PrepareExecutor {
  readonly state: WorkerPoolState;
}

/** Bodies up to this size take at most about 10 ms, and are cheaper on the thread that received them. */
const INLINE_BYTES = 192 * 1024;
/** This much of a small body takes a few milliseconds; each trace is compressed separately. */
const INLINE = { spans: 500, traces: 50 };
const RETRY_AFTER_SECONDS = 5;

/** Decodes small bodies on the calling thread, and large or unusual ones on worker threads, so that none delays other requests. */
export function createIngestPool({ size, entry, redaction, timeoutMs }: IngestPoolOptions): IngestPool {
  const redactor = createRedactor(redaction);
  const queue = new PrepareQueue(size, systemTimer);
  const pool = new WorkerPool<Pick<WorkerTasks, 'prepare'>>({
    name: 'ingest',
    size,
    entry,
    timeoutMs: { prepare: timeoutMs },
  });

  function prepareInline<Params, Facts>(
    decoder: BodyDecoder<Params, Facts>,
    { tenantNo, body, params, now }: PrepareRequest<Params>,
  ): PreparedBody<Facts> | null {
    if (body.length > INLINE_BYTES || !isJsonWithin(body, decoder.maxInlineNodes)) return null;
    const decoded = decoder.decode(body, params);
    const isOrdinary = decoded.spans.length <= INLINE.spans && countTraces(decoded.spans) <= INLINE.traces;
    return isOrdinary ? prepareSpans(decoded, { redactor, tenant: String(tenantNo), now }, decoder.complete) : null;
  }

  async function prepareOnWorker<Params, Facts>(
    decoder: BodyDecoder<Params, Facts>,
    { tenantNo, body, params, now }: PrepareRequest<Params>,
  ): Promise<{ value: PreparedBody<Facts>; workMs: number }> {
    const content = wholeBuffer(body);
    const input = { decoder: decoder.name, body: content, params, now, redaction, tenant: String(tenantNo) };
    try {
      const { prepared, workMs } = await pool.run('prepare', input, { transfer: [content] });
      return { value: prepared as PreparedBody<Facts>, workMs };
    } catch (error) {
      throw toAppError(error);
    }
  }

  return {
    async prepare(decoder, request) {
      const { tenantNo, body, isBackground = false } = request;
      const inline = prepareInline(decoder, request);
      if (inline !== null) return inline;
      const run = () => prepareOnWorker(decoder, request);
      return queue.add({ tenantNo, bytes: body.length, isBackground, run });
    },
    waitMs: (tenantNo, bytes) => (bytes <= INLINE_BYTES ? 0 : queue.waitMs(tenantNo, bytes)),
    oldestMs: () => queue.oldestMs(),
    bytesWaiting: () => queue.bytes,
    get state() {
      return pool.state;
    },
    close: () => pool.close(),
  };
}

function countTraces(spans: readonly { traceId: string }[]): number {
  return new Set(spans.map((span) => span.traceId)).size;
}

/** The memory of the body if it holds nothing else, otherwise a copy: a transferred buffer becomes unusable here. */
function wholeBuffer(body: Buffer): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = body;
  const isWhole = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength;
  return isWhole ? buffer : new Uint8Array(body).buffer;
}

function toAppError(error: unknown): unknown {
  if (error instanceof WorkerUnavailableError)
    return new AppError('unavailable', 'No worker can read the body right now; try again shortly.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  if (error instanceof WorkerCrashError)
    return new AppError('payload_too_large', 'The body takes too much memory or time to read; send smaller bodies.', {
      cause: error,
    });
  return error;
}
