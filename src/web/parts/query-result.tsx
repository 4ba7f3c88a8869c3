import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { refetchAll, useIsSlow } from '../data/queries.ts';
import type { QueryState } from '../data/query-cache.ts';
import { ErrorNotice, LoadingPlaceholder } from './notice.tsx';

interface QueryResultProps<Value> {
  query: ReadonlySignal<QueryState<Value>>;
  /** Title of the error notice: `The agents cannot be shown`. Null if another part of the view shows the error. */
  failure: string | null;
  children(value: Value): ComponentChildren;
}

/** Renders the response of a query, its error, or a placeholder. */
export function QueryResult<Value>({ query, failure, children }: QueryResultProps<Value>) {
  const isSlow = useIsSlow(query);
  const { value, error } = query.value;
  if (value !== undefined) return <>{children(value)}</>;
  if (error !== undefined)
    return failure === null ? null : <ErrorNotice title={failure} error={error} retry={refetchAll} />;
  return isSlow ? <LoadingPlaceholder /> : null;
}
