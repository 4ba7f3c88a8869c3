import { useRef } from 'preact/hooks';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { FilterChip } from '../../parts/filter-chip.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import style from './filter-bar.module.css';
import { chipsOf, ORDERS, type TracesQuery } from './trace-filter.ts';

const DAY_MS = 86_400_000;
const TIME_RANGES = [
  { label: 'Any time', ms: 0 },
  { label: 'Last hour', ms: DAY_MS / 24 },
  { label: 'Last 24 hours', ms: DAY_MS },
  { label: 'Last 7 days', ms: 7 * DAY_MS },
  { label: 'Last 30 days', ms: 30 * DAY_MS },
];

interface FilterBarProps {
  query: TracesQuery;
  labels: ReadonlyMap<string, string>;
  onChange(change: TracesQuery): void;
  onSearch(text: string): void;
}

/** Search, time range, order and active filters. */
export function FilterBar({ query, labels, onChange, onSearch }: FilterBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: 'Search traces', run: () => field.current?.focus() }]);
  const chips = chipsOf(query, labels);
  return (
    <div class={style.bar}>
      <search>
        <SearchField
          class={style.search}
          inputRef={field}
          label="Search name, task, agent, model or trace id"
          placeholder="Name, task, agent, model or trace id"
          shortcut="/"
          value={query.q ?? ''}
          onSearch={onSearch}
        />
      </search>
      <label class={style.choice}>
        Time
        <select
          value=""
          onChange={({ currentTarget }) => {
            const ms = Number(currentTarget.value);
            const from = ms === 0 ? undefined : new Date(Date.now() - ms).toISOString();
            onChange({ from, to: undefined });
          }}
        >
          <option value="" disabled>
            {query.from || query.to ? 'Custom' : 'Any time'}
          </option>
          {TIME_RANGES.map(({ label, ms }) => (
            <option key={ms} value={String(ms)}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class={style.choice}>
        Sort
        <select
          value={query.sort ?? 'started_at'}
          onChange={({ currentTarget }) =>
            onChange({ sort: currentTarget.value === 'started_at' ? undefined : currentTarget.value })
          }
        >
          {ORDERS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {chips.length > 0 && (
        <ul class={style.chips} aria-label="Filters">
          {chips.map(({ label, value, without }) => (
            <li key={label}>
              <FilterChip label={label} value={value} removeAddress={addressOf('traces', without)} />
            </li>
          ))}
          <li>
            <Link to={addressOf('traces', query.sort === undefined ? {} : { sort: query.sort })}>Clear all</Link>
          </li>
        </ul>
      )}
    </div>
  );
}
