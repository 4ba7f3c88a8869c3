import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Load, QueryCache, type QueryState } from './query-cache.ts';

export const queries = new QueryCache(Date.now);

/** The response to one query while the view is shown. A changed key fetches a new response; null fetches nothing. */
export function useQuery<Value>(key: string | null, load: Load<Value>): ReadonlySignal<QueryState<Value>> {
  const shown = useSignal(key);
  shown.value = key;
  useEffect(() => (key === null ? undefined : queries.read(key, load)), [key]);
  return useComputed(() => (shown.value === null ? NOTHING : queries.state<Value>(shown.value).value));
}

const NOTHING: QueryState<never> = { value: undefined, error: undefined, isLoading: false };

/** Refetches everything that the page shows. */
export function retryShown(): void {
  void queries.invalidate('');
}

/** True once a query has run for 150 ms without an answer: only then is a placeholder worth showing. */
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
