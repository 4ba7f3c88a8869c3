import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Load, QueryCache, type QueryState } from './query-cache.ts';

export const queries = new QueryCache(Date.now);

/** The state of a query while the component is mounted. A new key starts a new query; null starts none. */
export function useQuery<Value>(key: string | null, load: Load<Value>): ReadonlySignal<QueryState<Value>> {
  const currentKey = useSignal(key);
  currentKey.value = key;
  useEffect(() => (key === null ? undefined : queries.read(key, load)), [key]);
  return useComputed(() => (currentKey.value === null ? NOTHING : queries.state<Value>(currentKey.value).value));
}

const NOTHING: QueryState<never> = { value: undefined, error: undefined, isLoading: false };

/** Refetches all queries that have readers. */
export function refetchAll(): void {
  void queries.invalidate('');
}

/** True once a query has run for 150 ms without a response. Until then no placeholder is shown, to avoid flicker. */
export function useIsSlow<Value>(state: ReadonlySignal<QueryState<Value>>): boolean {
  const isSlow = useSignal(false);
  useSignalEffect(() => {
    const isWaiting = state.value.isLoading && state.value.value === undefined;
    if (!isWaiting) {
      isSlow.value = false;
      return;
    }
    const timer = setTimeout(() => {
      isSlow.value = true;
    }, 150);
    return () => clearTimeout(timer);
  });
  return isSlow.value;
}
