import { useEffect } from 'preact/hooks';
import { queries } from '../data/queries.ts';

/** Fetches queries again while the view is shown and its tab is in front: for what no event announces. */
export function usePolling(prefix: string, everyMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void queries.invalidate(prefix);
    }, everyMs);
    return () => clearInterval(timer);
  }, [prefix, everyMs]);
}
