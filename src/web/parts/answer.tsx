import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { retryShown, useIsSlow } from '../data/queries.ts';
import type { QueryState } from '../data/query-cache.ts';
import { ErrorNotice, Waiting } from './notice.tsx';

interface AnswerProps<Value> {
  query: ReadonlySignal<QueryState<Value>>;
  /** Says that the answer is missing: `The agents cannot be shown`. Null where another part of the view says so. */
  failure: string | null;
  children(value: Value): ComponentChildren;
}

/** What a query has answered, or why there is no answer yet. */
export function Answer<Value>({ query, failure, children }: AnswerProps<Value>) {
  const isSlow = useIsSlow(query);
  const { value, error } = query.value;
  if (value !== undefined) return <>{children(value)}</>;
  if (error !== undefined)
    return failure === null ? null : <ErrorNotice what={failure} error={error} retry={retryShown} />;
  return isSlow ? <Waiting /> : null;
}
