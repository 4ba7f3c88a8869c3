/** Edges of an item in pixels, from the top of the scrolled content. */
export interface ItemEdges {
  top: number;
  bottom: number;
}

interface Viewport {
  scrollTop: number;
  height: number;
}

/**
 * The scroll position that shows an item as a whole, below the item before it if both fit, otherwise at the top. The first
 * visible item is never cut off.
 * @returns null if the item is already visible
 */
export function scrollToShow(
  { scrollTop, height }: Viewport,
  item: ItemEdges,
  previous: ItemEdges | null,
): number | null {
  if (item.top >= scrollTop && item.bottom <= scrollTop + height) return null;
  return previous !== null && item.bottom - previous.top <= height ? previous.top : item.top;
}
