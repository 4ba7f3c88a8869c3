/** Counters that only grow; the rows of tenant 0 are the instance's, and outlive its tenants. */
export interface FigureTable {
  tenant_no: number;
  name: string;
  /** `''`, or label values joined by `/`. */
  label: string;
  value: number;
}

/** What of a figure the monitoring vendor has, and what is on its way. */
export interface VendorFlushTable {
  tenant_no: number;
  name: string;
  label: string;
  flushed: number;
  /** Unix seconds of the last point that was sent; 0 before the first. */
  flushed_at: number;
  /** The figure as it will be once the point under way is taken; null where none is. */
  pending: number | null;
  /** Unix seconds of the point under way. */
  pending_at: number | null;
}
