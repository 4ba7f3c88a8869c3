import type { FigureTable, VendorFlushTable } from '../../store/figure-tables.ts';

export interface FlushPoint {
  /** With `pending` and `pending_at` set. */
  row: VendorFlushTable;
  /** Was sent before without a response: the vendor may have it. */
  isResent: boolean;
}

export interface FlushPlan {
  points: FlushPoint[];
  /** Sent without a response so long ago that the vendor would reject them: counted as accepted. */
  givenUp: VendorFlushTable[];
}

/** The vendor accepts points of the last hour. */
const OLDEST_SECONDS = 50 * 60;

/**
 * The points to send for each figure. A point without a response is sent again with the same time and value, which
 * replaces it at the vendor; further growth of the figure gets its own point only after the response. Two points of one
 * figure never share a second, because the later would replace the earlier.
 */
export function planFlush(
  figures: readonly FigureTable[],
  flushes: readonly VendorFlushTable[],
  nowSeconds: number,
): FlushPlan {
  const known = new Map(flushes.map((row) => [keyOf(row), row]));
  const plan: FlushPlan = { points: [], givenUp: [] };
  for (const figure of figures) {
    const before = known.get(keyOf(figure)) ?? unsentRow(figure);
    if (before.pending_at !== null && before.pending_at >= nowSeconds - OLDEST_SECONDS) {
      plan.points.push({ row: before, isResent: true });
      continue;
    }
    if (before.pending_at !== null) plan.givenUp.push(before);
    const after = before.pending_at === null ? before : acceptedRow(before);
    if (figure.value <= after.flushed) continue;
    const pendingAt = Math.max(nowSeconds, after.flushed_at + 1);
    plan.points.push({ row: { ...after, pending: figure.value, pending_at: pendingAt }, isResent: false });
  }
  return plan;
}

function unsentRow({ tenant_no, name, label }: FigureTable): VendorFlushTable {
  return { tenant_no, name, label, flushed: 0, flushed_at: 0, pending: null, pending_at: null };
}

function acceptedRow(row: VendorFlushTable): VendorFlushTable {
  return {
    ...row,
    flushed: row.pending ?? row.flushed,
    flushed_at: row.pending_at ?? row.flushed_at,
    pending: null,
    pending_at: null,
  };
}

function keyOf({ name, label }: { name: string; label: string }): string {
  return `${name} ${label}`;
}
