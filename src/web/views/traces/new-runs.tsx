import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf, currentRoute, navigate } from '../../address/router.ts';
import { onLive } from '../../data/live.ts';
import { queries } from '../../data/queries.ts';
import { pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { type TracesQuery, withChange } from './trace-filter.ts';

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
  const hasUnknownRuns = useSignal(false);
  useEffect(
    () =>
      onLive(({ name, data }) => {
        if (name === 'gap') hasUnknownRuns.value = true;
        if (name !== 'execution.started' || started.value.size >= MAX_COUNTED) return;
        started.value = new Set([...started.value, String(data.trace_id)]);
      }),
    [],
  );
  if (started.value.size === 0 && !hasUnknownRuns.value) return null;
  const show = () => {
    started.value = new Set();
    hasUnknownRuns.value = false;
    refreshRuns();
    if (!isFirstPage) navigate(addressOf('traces', withChange((currentRoute.value?.query ?? {}) as TracesQuery, {})));
  };
  return (
    <Button variant="primary" onClick={show}>
      {buttonText(started.value.size, hasUnknownRuns.value || isFiltered)}
    </Button>
  );
}

/** Only the server applies filters, so the number of new runs that match is unknown here. */
function buttonText(started: number, isCountUnknown: boolean): string {
  return isCountUnknown || started >= MAX_COUNTED ? 'New runs: show' : pluralize(started, 'new run');
}
