import type { TraceFacet, TraceFacets } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { count, counted } from '../../parts/amounts.ts';
import style from './facet-list.module.css';
import { changed, FACETS, type FacetName, type TracesQuery } from './trace-filter.ts';

interface FacetListProps {
  facets: TraceFacets['facets'];
  query: TracesQuery;
  isComplete: boolean;
}

/** The values of each facet with their counts; a value leads to the list with or without it. */
export function FacetList({ facets, query, isComplete }: FacetListProps) {
  const shown = FACETS.filter(({ facet }) => facets[facet].values.length > 0);
  return (
    <aside aria-label="Filters by value" class={style.facets}>
      {shown.map(({ facet, label }) => (
        <details key={facet} open>
          <summary>{label}</summary>
          <Values facet={facet} values={facets[facet]} query={query} />
        </details>
      ))}
      {!isComplete && <p class={style.note}>Counts of the newest 50,000 traces.</p>}
    </aside>
  );
}

function Values({ facet, values, query }: { facet: FacetName; values: TraceFacet; query: TracesQuery }) {
  const most = Math.max(1, ...values.values.map((value) => value.count));
  return (
    <>
      <ul>
        {values.values.map(({ value, label, count: traces }) => {
          const isChosen = query[facet] === value;
          return (
            <li key={value}>
              <Link
                to={addressOf('traces', changed(query, { [facet]: isChosen ? undefined : value }))}
                class={style.value}
                title={label}
                {...(isChosen ? { 'aria-current': 'true' as const } : {})}
              >
                <span class={style.label} dir="auto">
                  {label}
                </span>
                <span class={style.count}>{count(traces)}</span>
                <meter class={style.share} min={0} max={most} value={traces} aria-hidden="true" />
              </Link>
            </li>
          );
        })}
      </ul>
      {values.others > 0 && <p class={style.note}>{counted(values.others, 'more value')}: search for them above.</p>}
    </>
  );
}
