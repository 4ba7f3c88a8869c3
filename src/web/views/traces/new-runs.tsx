import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf, goTo, place } from '../../address/router.ts';
import { onLive } from '../../data/live.ts';
import { queries } from '../../data/queries.ts';
import { counted } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { changed, type TracesQuery } from './trace-filter.ts';

/** Runs beyond this number are not counted one by one. */
const MOST = 999;

export function refreshRuns(): void {
  queries.invalidate('runs/');
}

interface NewRunsProps {
  isFiltered: boolean;
  isFirstPage: boolean;
}

/** Shows that runs have started since the list was read. The list itself does not move while it is read. */
export function NewRuns({ isFiltered, isFirstPage }: NewRunsProps) {
  const begun = useSignal<ReadonlySet<string>>(new Set());
  const isMore = useSignal(false);
  useEffect(
    () =>
      onLive(({ name, data }) => {
        if (name === 'gap') isMore.value = true;
        if (name !== 'execution.started' || begun.value.size >= MOST) return;
        begun.value = new Set([...begun.value, String(data.trace_id)]);
      }),
    [],
  );
  if (begun.value.size === 0 && !isMore.value) return null;
  const show = () => {
    begun.value = new Set();
    isMore.value = false;
    refreshRuns();
    if (!isFirstPage) goTo(addressOf('traces', changed((place.value?.query ?? {}) as TracesQuery, {})));
  };
  return (
    <Button look="primary" onClick={show}>
      {textOf(begun.value.size, isMore.value || isFiltered)}
    </Button>
  );
}

/** Filters are applied by the server alone, so their number is not known here. */
function textOf(begun: number, isUnknown: boolean): string {
  return isUnknown || begun >= MOST ? 'New runs: show' : counted(begun, 'new run');
}
