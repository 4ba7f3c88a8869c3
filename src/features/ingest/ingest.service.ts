import type { Kysely, Transaction } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Decoded, Refusal } from '../../core/span.ts';
import type { Redactor } from '../../formats/redaction/redactor.ts';
import { claimOnce, isClaimed } from '../../store/drained-file.store.ts';
import type { Database } from '../../store/schema.ts';
import { readNewestSequence } from '../../store/span-chunk.store.ts';
import { toStorageError } from '../../store/storage-failure.ts';
import type { TouchedTrace } from '../../store/trace.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { CommitQueue, systemTimer, type Timer } from './commit-queue.ts';
import { type CommitSpansOptions, commitSpans, type SpanWrite } from './commit-spans.ts';
import { withHeldSpans } from './held-spans.ts';
import { type OtlpFacts, otlpTraces } from './otlp-decoder.ts';
import { refuseLongWait } from './overload.ts';
import { type BodyDecoder, type PreparedBody, prepareSpans } from './prepare.ts';
import type { PrepareExecutor } from './prepare-executor.ts';
import { chunksOf, type PreparedBatch } from './prepared-batch.ts';
import { Sequence } from './sequence.ts';

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
  errors: Refusal[];
}

export interface IngestSpansOptions {
  onceKey?: string;
  isHistory?: boolean;
  alongside?(transaction: Transaction<Database>): Promise<void>;
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
  assertRoom(tenantId: string, bytes: number): Promise<void>;
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

const GROUP_WAIT_MS = 10;
const MAX_QUEUED_SPANS = 50_000;
/** Maximum batches of one transaction besides the writes that are committed with them. */
const BATCHES_ALONE = 4;

interface Write {
  tenantNo: number;
  batch: PreparedBatch;
  isHistory: boolean;
}

export async function createIngestService(options: IngestOptions): Promise<IngestService> {
  const { db, clock, redactor, onTracesChanged } = options;
  const sequence = new Sequence(await readNewestSequence(db), clock);
  const maxSpans = options.maxQueuedSpans ?? MAX_QUEUED_SPANS;
  const queue = new CommitQueue<Write>({
    commit: (writes) =>
      inTransaction(db, (transaction) => commitSpans(transaction, writes.flatMap(toSpanWrites), options)).then(
        onTracesChanged,
        refuse,
      ),
    weigh: ({ batch }) => batch.weight,
    spansOf: ({ batch }) => batch.spanCount,
    waitMs: GROUP_WAIT_MS,
    maxSpans,
    timer: options.timer ?? systemTimer,
  });
  const tenantNoOf = (tenantId: string) => options.tenantNoOf(tenantId).catch(refuse);

  function refuseOverload(tenantNo: number, bytes: number): void {
    options.assertStorable?.();
    queue.assertRoom(tenantNo);
    refuseLongWait(options.prepare.waitMs(tenantNo, bytes) + queue.waitMs(tenantNo));
  }

  async function assertRoom(tenantNo: number, bytes: number): Promise<void> {
    refuseOverload(tenantNo, bytes);
    await options.quota?.assertRoom(tenantNo).catch(refuse);
  }

  function toSpanWrites({ tenantNo, batch, isHistory }: Write): SpanWrite[] {
    return chunksOf(batch).map(({ chunk, touch: { isOpenSession, ...touch }, isOfSession, held }) => {
      // History does not continue.
      const hasRootEnded = touch.hasRootEnded || (isHistory && isOpenSession);
      const place = { tenantNo, sequence: sequence.next() };
      return {
        chunk: { ...place, traceId: touch.traceId, chunk },
        touch: { ...touch, ...place, hasRootEnded, isHistory },
        isLive: !isHistory && (isOfSession || isOpenSession),
        held,
      };
    });
  }

  async function store(
    tenantNo: number,
    prepared: PreparedBody,
    { onceKey, isHistory = false, alongside }: IngestSpansOptions,
  ): Promise<boolean> {
    const writes = prepared.batches.map((batch): Write => ({ tenantNo, batch, isHistory }));
    if (onceKey === undefined && alongside === undefined) {
      await queue.add(tenantNo, writes);
      return true;
    }
    if (onceKey !== undefined && (await isClaimed(db, onceKey).catch(refuse))) return false;
    const last = writes.slice(-BATCHES_ALONE);
    await queue.add(tenantNo, writes.slice(0, writes.length - last.length));
    return commitAlone(last, onceKey, alongside);
  }

  async function commitAlone(
    writes: readonly Write[],
    key: string | undefined,
    alongside: IngestSpansOptions['alongside'],
  ): Promise<boolean> {
    const runs = await inTransaction(db, async (transaction) => {
      if (key !== undefined && !(await claimOnce(transaction, key, clock.now()))) return null;
      const touched = writes.length > 0 ? await commitSpans(transaction, writes.flatMap(toSpanWrites), options) : [];
      await alongside?.(transaction);
      return touched;
    }).catch(refuse);
    if (runs !== null) onTracesChanged(runs);
    return runs !== null;
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
    await assertRoom(tenantNo, body.length);
    const sent = await options.prepare.prepare(decoder, { tenantNo, body, params, now: clock.now() });
    const prepared = await complete(tenantNo, sent);
    await store(tenantNo, prepared, {});
    return { ...toReply(prepared), facts: prepared.facts };
  }

  const withWaiting = (tenantNo: number, prepared: PreparedBody<OtlpFacts>) =>
    withHeldSpans(db, tenantNo, prepared, clock.now()).catch(refuse);

  async function ingestPrepared(tenantId: string, prepared: PreparedBody, more: IngestSpansOptions = {}) {
    options.assertStorable?.();
    const isFirst = await store(await tenantNoOf(tenantId), prepared, more);
    return { ...toReply(prepared), isDuplicate: !isFirst };
  }

  return {
    ingest: (tenantId, { encoding, body }) => ingestBody(tenantId, otlpTraces, body, { encoding }, withWaiting),
    ingestBody: (tenantId, decoder, body, params) => ingestBody(tenantId, decoder, body, params),
    async prepare(tenantId, decoder, body, params, { isBackground = false } = {}) {
      const tenantNo = await tenantNoOf(tenantId);
      if (!isBackground) refuseOverload(tenantNo, body.length);
      return options.prepare.prepare(decoder, { tenantNo, body, params, now: clock.now(), isBackground });
    },
    ingestPrepared,
    ingestSpans: (tenantId, decoded, more) =>
      ingestPrepared(
        tenantId,
        prepareSpans({ ...decoded, facts: null }, { redactor, tenant: tenantId, now: clock.now() }),
        more,
      ),
    assertRoom: async (tenantId, bytes) => assertRoom(await tenantNoOf(tenantId), bytes),
    queueDepth: () => queue.depth,
    queueLimit: () => maxSpans,
    queueAgeMs: () => Math.max(queue.oldestMs(), options.prepare.oldestMs()),
    flush: () => queue.flush(),
  };
}

function toReply({ acceptedSpans, rejectedSpans, traceIds, errors }: PreparedBody): IngestReply {
  return { acceptedSpans, rejectedSpans, traceIds, errors };
}

/** A full disk or a locked file is the service's fault, which a sender may retry; it must never look like success. */
function refuse(error: unknown): never {
  const storageError = toStorageError(error);
  if (storageError !== null) throw storageError;
  if (error instanceof AppError) throw error;
  throw new AppError('unavailable', 'The database cannot be written at the moment.', {
    retryAfterSeconds: 5,
    cause: error,
  });
}
