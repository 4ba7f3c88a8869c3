import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TraceFacet, TraceFacets } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count, pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import style from './facet-list.module.css';
import {
  FACETS,
  type FacetName,
  filterOf,
  orderedValues,
  type TracesQuery,
  valueLabel,
  withChange,
} from './trace-filter.ts';

interface FacetListProps {
  facets: TraceFacets['facets'];
  query: TracesQuery;
  isComplete: boolean;
}

/** As in traces-view.module.css: on a narrower screen the facets are above the list, and closed. */
const BESIDE_LIST = '(min-width: 1001px)';

/** The values of each facet with their counts. Each value is a link that adds or removes its filter. */
export function FacetList({ facets, query, isComplete }: FacetListProps) {
  const expandedFacet = useSignal<FacetName | null>(null);
  const hasRoom = useMemo(() => matchMedia(BESIDE_LIST).matches, []);
  const shown = FACETS.filter(({ facet }) => facets[facet].values.length > 0);
  return (
    <aside aria-label="Filters by value" class={style.facets}>
      {shown.map(({ facet, label }) => (
        <details key={facet} open={hasRoom || query[facet] !== undefined}>
          <summary>{label}</summary>
          <Values facet={facet} label={label} values={facets[facet]} query={query} expandedFacet={expandedFacet} />
        </details>
      ))}
      {!isComplete && <p class={style.note}>Counts of the newest 50,000 traces.</p>}
    </aside>
  );
}

/** Maximum number of values in a response. */
const MAX_VALUES = 100;
/** Maximum number of values listed at a time. */
const MAX_LISTED = 30;

interface ValuesProps {
  facet: FacetName;
  label: string;
  values: TraceFacet;
  query: TracesQuery;
  /** The facet that lists more than its first values; only one at a time, to save space. */
  expandedFacet: Signal<FacetName | null>;
}

function Values({ facet, label: title, values: initialFacet, query, expandedFacet }: ValuesProps) {
  const isExpanded = expandedFacet.value === facet;
  const search = useSignal('');
  const tenant_id = tenantId.value;
  const filter = filterOf(query);
  const key = isExpanded && tenant_id !== null ? `runs/all-facets/${JSON.stringify([tenant_id, filter])}` : null;
  const fullFacet = useQuery(key, (signal) =>
    server.traces.facets({ tenant_id: tenant_id!, ...filter, top: MAX_VALUES }, { signal }),
  );
  const values = fullFacet.value.value?.facets[facet] ?? initialFacet;
  const text = isExpanded ? search.value.toLowerCase() : '';
  const matching = orderedValues(facet, (isExpanded ? values : initialFacet).values).filter(({ label }) =>
    label.toLowerCase().includes(text),
  );
  const shown = matching.slice(0, MAX_LISTED);
  const maxCount = Math.max(1, ...values.values.map((value) => value.count));
  return (
    <>
      {isExpanded && (
        <input
          type="search"
          aria-label={`Find in ${title}`}
          placeholder="Find"
          class={style.find}
          value={search.value}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value;
          }}
        />
      )}
      <ul>
        {shown.map(({ value, label: name, count: traces }) => {
          const label = valueLabel(facet, value, name);
          const isSelected = query[facet] === value;
          return (
            <li key={value}>
              <Link
                to={addressOf('traces', withChange(query, { [facet]: isSelected ? undefined : value }))}
                class={style.value}
                title={visibleText(label)}
                {...(isSelected ? { 'aria-current': 'true' as const } : {})}
              >
                <span class={style.label} dir="auto">
                  {visibleText(label)}
                </span>
                <span class={style.count}>{count(traces)}</span>
                <meter class={style.share} min={0} max={maxCount} value={traces} aria-hidden="true" />
              </Link>
            </li>
          );
        })}
      </ul>
      {initialFacet.others > 0 && !isExpanded && (
        <Button
          onClick={() => {
            search.value = '';
            expandedFacet.value = facet;
          }}
        >
          {pluralize(initialFacet.others, 'more value')}
        </Button>
      )}
      {matching.length > shown.length && (
        <p class={style.note}>{pluralize(matching.length - shown.length, 'more value')}: find them here.</p>
      )}
      {values.others > 0 && isExpanded && fullFacet.value.value && (
        <p class={style.note}>{pluralize(values.others, 'rarer value')}: search at the top of the page.</p>
      )}
    </>
  );
}
