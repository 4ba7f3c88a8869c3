/** Counters that only grow; the rows of tenant 0 belong to the instance, and outlive its tenants. */
export interface FigureTable {
  tenant_no: number;
  name: string;
  /** `''`, or label values joined by `/`. */
  label: string;
  value: number;
}

/** The part of a figure that the monitoring vendor has received, and the part in transit. */
export interface VendorFlushTable {
  tenant_no: number;
  name: string;
  label: string;
  flushed: number;
  /** Unix seconds of the last point that was sent; 0 before the first. */
  flushed_at: number;
  /** The figure's value once the point in transit is accepted; null if absent. */
  pending: number | null;
  /** Unix seconds of the point in transit. */
  pending_at: number | null;
}
