/** Share of the sorted values that are lower, 0–1; equal values count half. */
export function midRank(sorted: Float64Array, value: number): number {
  return (countBelow(sorted, value, false) + countBelow(sorted, value, true)) / 2 / sorted.length;
}

function countBelow(sorted: Float64Array, value: number, isInclusive: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value || (isInclusive && sorted[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
