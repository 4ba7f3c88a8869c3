import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Issue } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, navigate } from '../../address/router.ts';
import { useOverview } from '../../data/overview.ts';
import { FilterChip } from '../../parts/filter-chip.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { typeLabel } from '../../parts/type-label.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { amountText } from '../../shell/navigation-counts.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { FilterChoices } from './filter-choices.tsx';
import { FILTERS, type FilterName, type IssuesQuery, SORTS } from './issue-query.ts';
import { TABS, type TabId } from './issue-tabs.ts';
import style from './issues.module.css';

interface IssueFiltersProps {
  active: TabId;
  query: IssuesQuery;
  issues: readonly Issue[];
}

/** The tabs, the search, the order and the filters of the list of issues. */
export function IssueFilters({ active, query, issues }: IssueFiltersProps) {
  const areChoicesOpen = useSignal(false);
  const searchRef = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: 'Search', run: () => searchRef.current?.focus() }]);
  const change = (changes: IssuesQuery) =>
    navigate(addressOf('issues', { ...query, ...changes, cursor: '' }), { replace: true });
  const chips = FILTERS.filter(({ name }) => query[name]);
  return (
    <div class={style.filters}>
      <nav aria-label="Issues by status" class={style.tabs}>
        {TABS.map(({ id, label }) => (
          <Link
            key={id}
            to={addressOf('issues', { ...query, status: id === 'open' ? '' : id, cursor: '' })}
            {...(id === active ? { 'aria-current': 'page' as const } : {})}
          >
            {label}
            <TabCount tab={id} />
          </Link>
        ))}
      </nav>
      <SearchField
        class={style.search}
        inputRef={searchRef}
        label="Search issues"
        placeholder="Search"
        shortcut="/"
        value={query.q ?? ''}
        onSearch={(q) => change({ q })}
      />
      <label class={style.sort}>
        Sort
        <select value={query.sort ?? 'impact'} onChange={({ currentTarget }) => change({ sort: currentTarget.value })}>
          {Object.entries(SORTS).map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <details
        class={style.filter}
        onToggle={({ currentTarget }) => {
          areChoicesOpen.value = currentTarget.open;
        }}
      >
        <summary>Filter</summary>
        {areChoicesOpen.value && <FilterChoices query={query} onChange={change} />}
      </details>
      {chips.map(({ name, label }) => (
        <FilterChip
          key={name}
          label={label}
          value={valueText(name, query[name]!, issues)}
          removeAddress={addressOf('issues', { ...query, ...without(name), cursor: '' })}
        />
      ))}
      {chips.length > 1 && <Link to={addressOf('issues', { ...query, ...NO_FILTERS, cursor: '' })}>Clear all</Link>}
    </div>
  );
}

const NO_FILTERS: IssuesQuery = Object.fromEntries(FILTERS.map(({ name }) => [name, '']));

/** A subtype has no meaning without its type. */
function without(name: FilterName): IssuesQuery {
  return name === 'type' ? { type: '', subtype: '' } : { [name]: '' };
}

/** A workflow is named by an issue of the list. */
function valueText(name: FilterName, value: string, issues: readonly Issue[]): string {
  if (name === 'type' || name === 'subtype') return typeLabel(value);
  if (name !== 'workflow') return visibleText(value);
  const workflow = issues.flatMap((issue) => issue.affected_workflows).find(({ workflow_id }) => workflow_id === value);
  return visibleText(workflow?.name ?? value);
}

/** The number of issues in a tab; hidden for zero. */
function TabCount({ tab }: { tab: TabId }) {
  const overview = useOverview();
  if (overview === undefined) return null;
  const amount = overview.issues[tab];
  return amount > 0 ? <span class={style.tabCount}> {amountText(amount, overview.most)}</span> : null;
}
