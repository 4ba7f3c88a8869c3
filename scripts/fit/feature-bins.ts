/** Columns cut into at most 255 bins. Bin 0 holds what is not a number; bin b holds values up to `edges[b - 1]`. */
export interface Binned {
  rows: number;
  /** One list of bin numbers for each feature. */
  bins: Uint8Array[];
  /** Rising upper edges of the bins from 1 on, without the last, which is open. */
  edges: Float64Array[];
}

export function binColumns(rows: readonly ArrayLike<number>[], features: number, maxBins: number): Binned {
  const edges = Array.from({ length: features }, (_, feature) => edgesOf(rows, feature, maxBins));
  const bins = edges.map((cuts, feature) =>
    Uint8Array.from(rows, (row) => (Number.isNaN(row[feature]!) ? 0 : 1 + firstAtLeast(cuts, row[feature]!))),
  );
  return { rows: rows.length, bins, edges };
}

/** Midpoints between neighbouring values if there are few values, otherwise midpoints at even ranks. */
function edgesOf(rows: readonly ArrayLike<number>[], feature: number, maxBins: number): Float64Array {
  const sorted = Float64Array.from(rows, (row) => row[feature]!)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const distinct = sorted.filter((value, index) => index === 0 || value !== sorted[index - 1]);
  if (distinct.length <= maxBins) return midpoints(distinct);
  const chosen = Array.from({ length: maxBins }, (_, bin) => sorted[Math.floor((bin * sorted.length) / maxBins)]!);
  return midpoints(Float64Array.from(chosen.filter((value, index) => value !== chosen[index - 1])));
}

/** Rounded like the shipped thresholds, so that training and inference cut at the same place. */
function midpoints(values: Float64Array): Float64Array {
  const cuts = Array.from(values.subarray(1), (value, index) => roundedBetween(values[index]!, value));
  return Float64Array.from(cuts.filter((value, index) => value !== cuts[index - 1]));
}

function roundedBetween(low: number, high: number): number {
  const middle = Number(((low + high) / 2).toPrecision(5));
  return middle >= low && middle < high ? middle : low;
}

function firstAtLeast(edges: Float64Array, value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle]! >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}
