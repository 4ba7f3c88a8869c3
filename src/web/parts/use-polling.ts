import { useEffect } from 'preact/hooks';
import { queries } from '../data/queries.ts';

/** Refetches queries periodically while the component is mounted and the tab is visible, for data without live events. */
export function usePolling(prefix: string, intervalMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void queries.invalidate(prefix);
    }, intervalMs);
    return () => clearInterval(timer);
  }, [prefix, intervalMs]);
}
