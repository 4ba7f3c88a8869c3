/** Number of items whose step is below `step`. @param items in order of their steps */
export function countBeforeStep(items: readonly { readonly step: number }[], step: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.step < step) low = middle + 1;
    else high = middle;
  }
  return low;
}
