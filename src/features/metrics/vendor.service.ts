import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { SendSeries, SeriesOutcome } from '../../platforms/datadog/send-series.ts';
import { MAX_PAYLOAD_BYTES, type Series, toPayloads } from '../../platforms/datadog/series.ts';
import { countOpenIssues, INSTANCE_NO, readFigures } from '../../store/figure.store.ts';
import type { VendorFlushTable } from '../../store/figure-tables.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { confirmFlushes, readFlushes, releaseFlushes, saveFlushes } from '../../store/vendor-flush.store.ts';
import { planFlush } from './flush-points.ts';
import { countSeries, openIssueSeries } from './vendor-series.ts';

export interface FlushReport {
  /** Series that the vendor accepted. */
  series: number;
  requests: number;
  /** Series without a response that are too old to be sent again. */
  unanswered: number;
}

export interface VendorService {
  /**
   * Sends the growth since the last time, of a tenant or (null) of the instance.
   * @throws AppError `vendor_not_configured`, `rate_limited`, `unreachable`; rejected points are sent next time
   */
  flush(tenantId: string | null): Promise<FlushReport>;
}

interface Item {
  series: Series;
  /** Null for a value that is not a count. */
  row: VendorFlushTable | null;
  isResent: boolean;
}

export function createVendorService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
  /** Null: no vendor is configured. */
  send: SendSeries | null;
  host: string;
  maxPayloadBytes?: number;
}): VendorService {
  const { db, clock, send } = options;
  const flushes = new Map<string | null, { running: Promise<FlushReport>; next: Promise<FlushReport> | null }>();

  async function claim(tenantNo: number, tenantId: string | null) {
    const owner = { tenantId, host: options.host };
    const now = Math.floor(clock.now() / 1000);
    const plan = await inTransaction(db, async (transaction) => {
      const figures = await readFigures(transaction, tenantNo);
      const planned = planFlush(figures, await readFlushes(transaction, tenantNo), now);
      await confirmFlushes(transaction, planned.givenUp);
      const firstSent = planned.points.filter((point) => !point.isResent);
      await saveFlushes(
        transaction,
        firstSent.map((point) => point.row),
      );
      return planned;
    });
    const counts = plan.points.map((point): Item => ({ ...point, series: countSeries(point.row, owner) }));
    const gauges = openIssueSeries(await countOpenIssues(db, tenantNo, clock.now()), owner, now);
    const items = [...counts, ...gauges.map((series): Item => ({ series, row: null, isResent: false }))];
    return { items, unanswered: plan.givenUp.length };
  }

  async function flush(sendSeries: SendSeries, tenantId: string | null): Promise<FlushReport> {
    const tenantNo = tenantId === null ? INSTANCE_NO : await options.tenantNoOf(tenantId);
    const { items, unanswered } = await claim(tenantNo, tenantId);
    const report: FlushReport = { series: 0, requests: 0, unanswered };
    const waiting = toPayloads(items, options.maxPayloadBytes ?? MAX_PAYLOAD_BYTES);
    for (let payload = waiting.shift(); payload !== undefined; payload = waiting.shift()) {
      const outcome = await sendSeries(payload.map((item) => item.series));
      report.requests += 1;
      if (outcome.kind === 'accepted') {
        await confirmFlushes(db, rowsOf(payload));
        report.series += payload.length;
      } else if (outcome.kind === 'too_large' && payload.length > 1) {
        const half = Math.ceil(payload.length / 2);
        waiting.unshift(payload.slice(0, half), payload.slice(half));
      } else {
        // Without an answer the payload may have been taken and keeps its points; what was not sent at all does not.
        const unsent = outcome.kind === 'unknown' ? waiting.flat() : [...payload, ...waiting.flat()];
        await releaseFlushes(db, rowsOf(unsent.filter((item) => !item.isResent)));
        throw toError(outcome);
      }
    }
    return report;
  }

  return {
    flush(tenantId) {
      if (send === null)
        return Promise.reject(
          new AppError('vendor_not_configured', 'No monitoring vendor is set up: MISSTEP_DATADOG_API_KEY is missing.'),
        );
      return inTurn(tenantId, () => flush(send, tenantId));
    },
  };

  /** One flush of a tenant runs at a time; requests made during it share the next one. */
  function inTurn(tenantId: string | null, run: () => Promise<FlushReport>): Promise<FlushReport> {
    const before = flushes.get(tenantId);
    if (before?.next) return before.next;
    if (before) {
      before.next = before.running.then(
        () => inTurn(tenantId, run),
        () => inTurn(tenantId, run),
      );
      return before.next;
    }
    const slot = { running: run().finally(() => flushes.delete(tenantId)), next: null };
    flushes.set(tenantId, slot);
    return slot.running;
  }
}

function rowsOf(items: readonly Item[]): VendorFlushTable[] {
  return items.map((item) => item.row).filter((row) => row !== null);
}

function toError(outcome: Exclude<SeriesOutcome, { kind: 'accepted' }>): AppError {
  if (outcome.kind === 'limited')
    return new AppError('rate_limited', outcome.reason, { retryAfterSeconds: outcome.afterSeconds });
  return new AppError('unreachable', outcome.reason);
}
