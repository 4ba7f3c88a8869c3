import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf, currentRoute, navigate } from '../../address/router.ts';
import { onLive } from '../../data/live.ts';
import { queries } from '../../data/queries.ts';
import { pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { changed, type TracesQuery } from './trace-filter.ts';

/** More runs than this are shown without a number. */
const MAX_COUNTED = 999;

export function refreshRuns(): void {
  queries.invalidate('runs/');
}

interface NewRunsProps {
  isFiltered: boolean;
  isFirstPage: boolean;
}

/** Shows that runs have started since the list was loaded. The list itself changes only on request. */
export function NewRuns({ isFiltered, isFirstPage }: NewRunsProps) {
  const started = useSignal<ReadonlySet<string>>(new Set());
  const isMore = useSignal(false);
  useEffect(
    () =>
      onLive(({ name, data }) => {
        if (name === 'gap') isMore.value = true;
        if (name !== 'execution.started' || started.value.size >= MAX_COUNTED) return;
        started.value = new Set([...started.value, String(data.trace_id)]);
      }),
    [],
  );
  if (started.value.size === 0 && !isMore.value) return null;
  const show = () => {
    started.value = new Set();
    isMore.value = false;
    refreshRuns();
    if (!isFirstPage) navigate(addressOf('traces', changed((currentRoute.value?.query ?? {}) as TracesQuery, {})));
  };
  return (
    <Button look="primary" onClick={show}>
      {textOf(started.value.size, isMore.value || isFiltered)}
    </Button>
  );
}

/** Only the server applies filters, so the number of new runs that match is unknown here. */
function textOf(started: number, isUnknown: boolean): string {
  return isUnknown || started >= MAX_COUNTED ? 'New runs: show' : pluralize(started, 'new run');
}
