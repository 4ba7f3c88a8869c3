import { useEffect } from 'preact/hooks';
import { queries } from '../data/queries.ts';

/** Refetches queries periodically while the view and its tab are visible, for data without events. */
export function usePolling(prefix: string, everyMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void queries.invalidate(prefix);
    }, everyMs);
    return () => clearInterval(timer);
  }, [prefix, everyMs]);
}
