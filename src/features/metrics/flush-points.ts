import type { FigureTable, VendorFlushTable } from '../../store/figure-tables.ts';

export interface FlushPoint {
  /** With `pending` and `pending_at` set. */
  row: VendorFlushTable;
  /** Was sent before without an answer: the vendor may have it. */
  isResent: boolean;
}

export interface FlushPlan {
  points: FlushPoint[];
  /** Sent without an answer so long ago that the vendor would not take them again: counted as taken. */
  givenUp: VendorFlushTable[];
}

/** The vendor takes points of the last hour. */
const OLDEST_SECONDS = 50 * 60;

/**
 * What is to be sent of each figure. A point without an answer is sent again under the same time with the same value,
 * which replaces it at the vendor; only after its answer does the figure's further growth get a point of its own. Two
 * points of one figure never share a second, or the later would replace the earlier.
 */
export function planFlush(
  figures: readonly FigureTable[],
  flushes: readonly VendorFlushTable[],
  nowSeconds: number,
): FlushPlan {
  const known = new Map(flushes.map((row) => [keyOf(row), row]));
  const plan: FlushPlan = { points: [], givenUp: [] };
  for (const figure of figures) {
    const before = known.get(keyOf(figure)) ?? fresh(figure);
    if (before.pending_at !== null && before.pending_at >= nowSeconds - OLDEST_SECONDS) {
      plan.points.push({ row: before, isResent: true });
      continue;
    }
    if (before.pending_at !== null) plan.givenUp.push(before);
    const after = before.pending_at === null ? before : taken(before);
    if (figure.value <= after.flushed) continue;
    const pendingAt = Math.max(nowSeconds, after.flushed_at + 1);
    plan.points.push({ row: { ...after, pending: figure.value, pending_at: pendingAt }, isResent: false });
  }
  return plan;
}

function fresh({ tenant_no, name, label }: FigureTable): VendorFlushTable {
  return { tenant_no, name, label, flushed: 0, flushed_at: 0, pending: null, pending_at: null };
}

function taken(row: VendorFlushTable): VendorFlushTable {
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
