import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { type ItemEdges, scrollToShow } from '../../parts/scroll-to-show.ts';

/** Scrolls the surrounding region to the selected item of a list. */
export function useShownItem(item: RefObject<HTMLElement | null>, isSelected: boolean): void {
  useEffect(() => {
    const region = item.current?.closest('section');
    if (!isSelected || !region) return;
    // The region becomes lower when the details of the step are loaded below it.
    const observer = new ResizeObserver(() => {
      if (item.current === null) return;
      const { previousElementSibling: previous } = item.current;
      const viewport = { scrollTop: region.scrollTop, height: region.clientHeight };
      const top = scrollToShow(viewport, edgesIn(region, item.current), previous && edgesIn(region, previous));
      if (top !== null) region.scrollTop = top;
    });
    observer.observe(region);
    return () => observer.disconnect();
  }, [isSelected]);
}

function edgesIn(region: Element, item: Element): ItemEdges {
  const offset = region.scrollTop - region.getBoundingClientRect().top;
  const { top, bottom } = item.getBoundingClientRect();
  return { top: top + offset, bottom: bottom + offset };
}
