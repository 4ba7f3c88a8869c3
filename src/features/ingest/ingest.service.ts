import type { Kysely } from 'kysely';
import type { Decoded, Rejection } from '../../core/span.ts';
import type { Redactor } from '../../formats/redaction/redactor.ts';
import type { Database } from '../../store/schema.ts';
import { readNewestSequence } from '../../store/span-chunk.store.ts';
import type { TouchedTrace } from '../../store/trace.store.ts';
import type { Timer } from './commit-queue.ts';
import type { CommitSpansOptions } from './commit-spans.ts';
import { withHeldSpans } from './held-spans.ts';
import { type OtlpFacts, otlpTraces } from './otlp-decoder.ts';
import { requireShortWait } from './overload.ts';
import { type BodyDecoder, type PreparedBody, prepareSpans } from './prepare.ts';
import type { PrepareExecutor } from './prepare-executor.ts';
import { Sequence } from './sequence.ts';
import { type IngestSpansOptions, SpanWriter } from './span-writer.ts';
import { throwUnavailable } from './throw-unavailable.ts';

export { SETTLE_JOB } from './commit-spans.ts';

export interface IngestRequest {
  encoding: 'json' | 'protobuf';
  /** Decompressed. */
  body: Buffer;
}

export interface IngestReply {
  acceptedSpans: number;
  rejectedSpans: number;
  traceIds: string[];
  /** The first hundred rejected records. */
  errors: Rejection[];
}

export interface PrepareOptions {
  /** No sender waits for the response. */
  isBackground?: boolean;
}

export interface IngestService {
  /** Stores an OTLP body. Resolves after the commit. @throws AppError `malformed`, `invalid_body`, `backpressure`, `unavailable` */
  ingest(tenantId: string, request: IngestRequest): Promise<IngestReply>;
  /** The same for a body that `decoder` reads. Takes ownership of `body`. @throws the errors of the decoder */
  ingestBody<Params, Facts>(
    tenantId: string,
    decoder: BodyDecoder<Params, Facts>,
    body: Buffer,
    params: Params,
  ): Promise<IngestReply & { facts: Facts }>;
  /** Decodes, redacts and packs a body without storing it; on another thread if that takes long. */
  prepare<Params, Facts>(
    tenantId: string,
    decoder: BodyDecoder<Params, Facts>,
    body: Buffer,
    params: Params,
    options?: PrepareOptions,
  ): Promise<PreparedBody<Facts>>;
  /**
   * Stores a prepared body. A large one takes several transactions. With `onceKey` the last one also commits the key, and
   * a known key stores nothing: then `isDuplicate` is true. The writes of `alongside` are committed with the last one
   * too; if it throws, the sender retries and nothing is stored twice. History triggers no alerts.
   */
  ingestPrepared(
    tenantId: string,
    prepared: PreparedBody,
    options?: IngestSpansOptions,
  ): Promise<IngestReply & { isDuplicate: boolean }>;
  /** The same for a few decoded spans. */
  ingestSpans(
    tenantId: string,
    decoded: Decoded,
    options?: IngestSpansOptions,
  ): Promise<IngestReply & { isDuplicate: boolean }>;
  /** Rejects before a body is read. @param bytes as sent @throws AppError `backpressure`, `quota_exceeded` */
  assertCapacity(tenantId: string, bytes: number): Promise<void>;
  /** Spans that wait for the disk. */
  queueDepth(): number;
  /** Queue depth from which senders are rejected. */
  queueLimit(): number;
  /** Age of the oldest work that waits to be decoded or committed, in milliseconds. */
  queueAgeMs(): number;
  /** Resolves when everything accepted so far is committed. */
  flush(): Promise<void>;
}

export interface IngestOptions extends CommitSpansOptions {
  db: Kysely<Database>;
  redactor: Redactor;
  prepare: PrepareExecutor;
  tenantNoOf(tenantId: string): Promise<number>;
  /** Called after a commit with the touched runs. */
  onTracesChanged(runs: readonly TouchedTrace[]): void;
  maxQueuedSpans?: number;
  timer?: Timer;
  /** Rejects while nothing can be stored. @throws AppError `storage_unavailable` */
  assertStorable?(): void;
}

export async function createIngestService(options: IngestOptions): Promise<IngestService> {
  const { db, clock, redactor } = options;
  const sequence = new Sequence(await readNewestSequence(db), clock);
  const writer = new SpanWriter({ ...options, sequence });
  const tenantNoOf = (tenantId: string) => options.tenantNoOf(tenantId).catch(throwUnavailable);

  function requireCapacity(tenantNo: number, bytes: number): void {
    options.assertStorable?.();
    writer.assertCapacity(tenantNo);
    requireShortWait(options.prepare.waitMs(tenantNo, bytes) + writer.waitMs(tenantNo));
  }

  async function assertCapacity(tenantNo: number, bytes: number): Promise<void> {
    requireCapacity(tenantNo, bytes);
    await options.quota?.assertQuota(tenantNo).catch(throwUnavailable);
  }

  async function ingestBody<Params, Facts>(
    tenantId: string,
    decoder: BodyDecoder<Params, Facts>,
    body: Buffer,
    params: Params,
    complete: (tenantNo: number, prepared: PreparedBody<Facts>) => Promise<PreparedBody<Facts>> = async (_, same) =>
      same,
  ): Promise<IngestReply & { facts: Facts }> {
    const tenantNo = await tenantNoOf(tenantId);
    await assertCapacity(tenantNo, body.length);
    const sent = await options.prepare.prepare(decoder, { tenantNo, body, params, now: clock.now() });
    const prepared = await complete(tenantNo, sent);
    await writer.write(tenantNo, prepared, {});
    return { ...toReply(prepared), facts: prepared.facts };
  }

  const withWaiting = (tenantNo: number, prepared: PreparedBody<OtlpFacts>) =>
    withHeldSpans(db, tenantNo, prepared, clock.now()).catch(throwUnavailable);

  async function ingestPrepared(tenantId: string, prepared: PreparedBody, more: IngestSpansOptions = {}) {
    options.assertStorable?.();
    const isFirst = await writer.write(await tenantNoOf(tenantId), prepared, more);
    return { ...toReply(prepared), isDuplicate: !isFirst };
  }

  return {
    ingest: (tenantId, { encoding, body }) => ingestBody(tenantId, otlpTraces, body, { encoding }, withWaiting),
    ingestBody: (tenantId, decoder, body, params) => ingestBody(tenantId, decoder, body, params),
    async prepare(tenantId, decoder, body, params, { isBackground = false } = {}) {
      const tenantNo = await tenantNoOf(tenantId);
      if (!isBackground) requireCapacity(tenantNo, body.length);
      return options.prepare.prepare(decoder, { tenantNo, body, params, now: clock.now(), isBackground });
    },
    ingestPrepared,
    ingestSpans: (tenantId, decoded, more) =>
      ingestPrepared(
        tenantId,
        prepareSpans({ ...decoded, facts: null }, { redactor, tenant: tenantId, now: clock.now() }),
        more,
      ),
    assertCapacity: async (tenantId, bytes) => assertCapacity(await tenantNoOf(tenantId), bytes),
    queueDepth: () => writer.depth,
    queueLimit: () => writer.maxSpans,
    queueAgeMs: () => Math.max(writer.oldestMs(), options.prepare.oldestMs()),
    flush: () => writer.flush(),
  };
}

function toReply({ acceptedSpans, rejectedSpans, traceIds, errors }: PreparedBody): IngestReply {
  return { acceptedSpans, rejectedSpans, traceIds, errors };
}
