import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute, navigate } from '../../address/router.ts';
import { useIsSlow, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { pluralize } from '../../parts/amounts.ts';
import { EmptyNotice, ErrorNotice, LoadingPlaceholder } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { PageLinks } from '../../parts/page-links.tsx';
import { FacetList } from './facet-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Histogram } from './histogram.tsx';
import { NewRuns, refreshRuns } from './new-runs.tsx';
import { FACETS, filterOf, labelsOf, type TracesQuery, withChange } from './trace-filter.ts';
import { TraceTable } from './trace-table.tsx';
import style from './traces-view.module.css';

const PAGE_SIZE = 50;

/** The list of traces with facets, histogram and filters. All state is in the address. */
export function TracesView() {
  const query = (currentRoute.value?.query ?? {}) as TracesQuery;
  const tenant_id = tenantId.value;
  const filter = filterOf(query);
  const filterKey = JSON.stringify([tenant_id, filter]);
  // Live events make queries of `traces` stale; the rows of this list stay until the user requests new ones.
  const keyOf = (name: string) => (tenant_id === null ? null : `runs/${name}/${filterKey}`);
  const page = useQuery(keyOf(`list/${query.sort ?? ''}/${query.cursor ?? ''}`), (signal) =>
    server.traces.list(
      { tenant_id: tenant_id!, ...filter, page_size: PAGE_SIZE, ...(orderOf(query) as object) },
      { signal },
    ),
  );
  const facets = useQuery(keyOf('facets'), (signal) =>
    server.traces.facets({ tenant_id: tenant_id!, ...filter }, { signal }),
  );
  const histogram = useQuery(keyOf('histogram'), (signal) =>
    server.traces.histogram({ tenant_id: tenant_id!, ...filter }, { signal }),
  );
  const isSlow = useIsSlow(page);
  const { value, error } = page.value;
  const counts = facets.value.value?.facets;
  const hasValues = counts !== undefined && FACETS.some(({ facet }) => counts[facet].values.length > 0);
  const hasRuns = (value?.items.length ?? 0) > 0 || Object.keys(filter).length > 0;
  const changeFilter = (change: TracesQuery) => navigate(addressOf('traces', withChange(query, change)));
  return (
    <div class={style.view}>
      <PageHeading title="Traces">
        <NewRuns isFiltered={Object.keys(filter).length > 0} isFirstPage={query.cursor === undefined} />
      </PageHeading>
      <FilterBar
        query={query}
        labels={counts ? labelsOf(counts) : new Map()}
        onChange={changeFilter}
        onSearch={(q) => navigate(addressOf('traces', withChange(query, { q })), { replace: true })}
      />
      {histogram.value.value && histogram.value.value.buckets.length > 0 && (
        <Histogram histogram={histogram.value.value} onSelect={changeFilter} />
      )}
      <div class={style.columns}>
        {counts && hasValues && hasRuns && (
          <FacetList facets={counts} query={query} isComplete={facets.value.value!.is_complete} />
        )}
        <section aria-label="Runs" class={style.list}>
          {error !== undefined && !value && (
            <ErrorNotice title="The traces cannot be shown" error={error} retry={refreshRuns} />
          )}
          {isSlow && <LoadingPlaceholder />}
          {value && value.items.length === 0 && <NoTraces hasFilter={Object.keys(filter).length > 0} />}
          {value && value.items.length > 0 && (
            <>
              <p class={style.total} role="status">
                {pluralize(value.total, 'trace')}
              </p>
              <TraceTable items={value.items} />
              <PageLinks
                first={query.cursor === undefined ? null : addressOf('traces', withChange(query, {}))}
                next={value.next_cursor === null ? null : addressOf('traces', { ...query, cursor: value.next_cursor })}
              />
            </>
          )}
        </section>
      </div>
    </div>
  );
}

function orderOf({ sort, cursor }: TracesQuery) {
  return { ...(sort === undefined ? {} : { sort }), ...(cursor === undefined ? {} : { cursor }) };
}

function NoTraces({ hasFilter }: { hasFilter: boolean }) {
  if (!hasFilter) {
    return (
      <EmptyNotice title="No trace has arrived">
        <p>
          <Link to={addressOf('start')}>Set up a program</Link> to send its traces here.
        </p>
      </EmptyNotice>
    );
  }
  return (
    <EmptyNotice title="No trace fits these filters">
      <p>
        Remove a filter above, or <Link to={addressOf('traces')}>show all traces</Link>.
      </p>
    </EmptyNotice>
  );
}
