import type { Kysely, Transaction } from 'kysely';
import { claimOnce, isClaimed } from '../../store/drained-file.store.ts';
import type { Database } from '../../store/schema.ts';
import type { TouchedTrace } from '../../store/trace.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { CommitQueue, systemTimer, type Timer } from './commit-queue.ts';
import { type CommitSpansOptions, commitSpans, type SpanWrite } from './commit-spans.ts';
import type { PreparedBody } from './prepare.ts';
import { chunksOf, type PreparedBatch } from './prepared-batch.ts';
import type { Sequence } from './sequence.ts';
import { throwUnavailable } from './throw-unavailable.ts';

export interface IngestSpansOptions {
  /** Stored with the spans; a known key stores nothing. */
  onceKey?: string;
  /** History triggers no alerts. */
  isHistory?: boolean;
  /** Writes that are committed with the last transaction of the body. */
  withCommit?(transaction: Transaction<Database>): Promise<void>;
}

export interface SpanWriterOptions extends CommitSpansOptions {
  db: Kysely<Database>;
  sequence: Sequence;
  /** Called after a commit with the touched runs. */
  onTracesChanged(runs: readonly TouchedTrace[]): void;
  maxQueuedSpans?: number;
  timer?: Timer;
}

interface Write {
  tenantNo: number;
  batch: PreparedBatch;
  isHistory: boolean;
}

const GROUP_WAIT_MS = 10;
const MAX_QUEUED_SPANS = 50_000;
/** Maximum batches of one transaction besides the writes that are committed with them. */
const BATCHES_ALONE = 4;

/** Commits prepared bodies: those of many requests in one transaction, fair between tenants. */
export class SpanWriter {
  /** Queue depth from which senders are rejected. */
  readonly maxSpans: number;
  readonly #options: SpanWriterOptions;
  readonly #queue: CommitQueue<Write>;

  constructor(options: SpanWriterOptions) {
    this.#options = options;
    this.maxSpans = options.maxQueuedSpans ?? MAX_QUEUED_SPANS;
    this.#queue = new CommitQueue<Write>({
      commit: (writes) => this.#commit(writes),
      weigh: ({ batch }) => batch.weight,
      spansOf: ({ batch }) => batch.spanCount,
      waitMs: GROUP_WAIT_MS,
      maxSpans: this.maxSpans,
      timer: options.timer ?? systemTimer,
    });
  }

  /** Spans that wait for the disk. */
  get depth(): number {
    return this.#queue.depth;
  }

  /** Age of the oldest work that waits for a commit, in milliseconds. */
  oldestMs(): number {
    return this.#queue.oldestMs();
  }

  /** @throws AppError `backpressure` */
  assertCapacity(tenantNo: number): void {
    this.#queue.assertCapacity(tenantNo);
  }

  /** Expected wait of a tenant's next write, in milliseconds. */
  waitMs(tenantNo: number): number {
    return this.#queue.waitMs(tenantNo);
  }

  /** Resolves when everything accepted so far is committed. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /**
   * Resolves after the commit. @returns false if the key is known: then nothing is stored
   * @throws AppError `backpressure`, `unavailable`, `storage_unavailable`
   */
  async write(
    tenantNo: number,
    prepared: PreparedBody,
    { onceKey, isHistory = false, withCommit }: IngestSpansOptions,
  ): Promise<boolean> {
    const writes = prepared.batches.map((batch): Write => ({ tenantNo, batch, isHistory }));
    if (onceKey === undefined && withCommit === undefined) {
      await this.#queue.add(tenantNo, writes);
      return true;
    }
    if (onceKey !== undefined && (await isClaimed(this.#options.db, onceKey).catch(throwUnavailable))) return false;
    const last = writes.slice(-BATCHES_ALONE);
    await this.#queue.add(tenantNo, writes.slice(0, writes.length - last.length));
    return this.#commitAlone(last, onceKey, withCommit);
  }

  async #commit(writes: readonly Write[]): Promise<void> {
    const { db, onTracesChanged } = this.#options;
    const runs = await inTransaction(db, (transaction) =>
      commitSpans(transaction, this.#toSpanWrites(writes), this.#options),
    ).catch(throwUnavailable);
    onTracesChanged(runs);
  }

  /** In a transaction with the key and the writes of the caller. */
  async #commitAlone(
    writes: readonly Write[],
    key: string | undefined,
    withCommit: IngestSpansOptions['withCommit'],
  ): Promise<boolean> {
    const { db, clock, onTracesChanged } = this.#options;
    const runs = await inTransaction(db, async (transaction) => {
      if (key !== undefined && !(await claimOnce(transaction, key, clock.now()))) return null;
      const spanWrites = this.#toSpanWrites(writes);
      const touched = spanWrites.length > 0 ? await commitSpans(transaction, spanWrites, this.#options) : [];
      await withCommit?.(transaction);
      return touched;
    }).catch(throwUnavailable);
    if (runs !== null) onTracesChanged(runs);
    return runs !== null;
  }

  #toSpanWrites(writes: readonly Write[]): SpanWrite[] {
    return writes.flatMap(({ tenantNo, batch, isHistory }) =>
      chunksOf(batch).map(({ chunk, touch: { isOpenSession, ...touch }, isOfSession, held }) => {
        // History does not continue.
        const hasRootEnded = touch.hasRootEnded || (isHistory && isOpenSession);
        const place = { tenantNo, sequence: this.#options.sequence.next() };
        return {
          chunk: { ...place, traceId: touch.traceId, chunk },
          touch: { ...touch, ...place, hasRootEnded, isHistory },
          isLive: !isHistory && (isOfSession || isOpenSession),
          held,
        };
      }),
    );
  }
}
