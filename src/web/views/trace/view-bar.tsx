import { useRef } from 'preact/hooks';
import { pluralize } from '../../parts/amounts.ts';
import { Icon } from '../../parts/icon.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { TRACE_VIEWS, type TraceAddress, type TraceViewName } from './trace-address.ts';
import type { GoOptions } from './trace-links.ts';
import type { TraceState } from './trace-state.ts';
import styles from './view-bar.module.css';

interface ViewBarProps {
  state: TraceState;
  go(change: Partial<TraceAddress>, options?: GoOptions): void;
}

const TITLES: Readonly<Record<TraceViewName, string>> = {
  tree: 'Tree',
  timeline: 'Timeline',
  graph: 'Graph',
  chat: 'Conversation',
  state: 'State',
};

/** The graph and the list of states show the whole run. */
const FILTERED_VIEWS: ReadonlySet<TraceViewName> = new Set(['tree', 'timeline', 'chat']);

/** Selects the view of the steps and filters them. */
export function ViewBar({ state, go }: ViewBarProps) {
  const { view, isOnlyDetections } = state.address.value;
  return (
    <div class={styles.bar}>
      <nav class={styles.views} aria-label="Views of the run">
        {TRACE_VIEWS.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={name === view ? 'page' : undefined}
            onClick={() => go({ view: name })}
          >
            {TITLES[name]}
          </button>
        ))}
      </nav>
      {FILTERED_VIEWS.has(view) && (
        <>
          <FindField state={state} go={go} />
          <label class={styles.switch}>
            <input
              type="checkbox"
              checked={isOnlyDetections}
              onChange={({ currentTarget }) => go({ isOnlyDetections: currentTarget.checked })}
            />
            Detections only
          </label>
        </>
      )}
      {(view === 'tree' || view === 'timeline') && (
        <label class={`${styles.switch} ${view === 'tree' ? styles.ofBars : ''}`}>
          <input
            type="checkbox"
            checked={state.isScaleFitted.value}
            onChange={({ currentTarget }) => {
              state.isScaleFitted.value = currentTarget.checked;
            }}
          />
          Fit to visible steps
        </label>
      )}
    </div>
  );
}

function FindField({ state, go }: ViewBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const { find } = state.address.value;
  useShortcuts([{ keys: '/', label: 'Find in the steps', run: () => field.current?.focus() }]);
  return (
    <search class={styles.find}>
      <Icon name="search" />
      <SearchField
        class={undefined}
        inputRef={field}
        label="Find in steps"
        placeholder="Find in steps"
        shortcut="/"
        value={find}
        onSearch={(text) => go({ find: text }, { replace: true })}
      />
      <output class={styles.found}>{find !== '' && foundText(state)}</output>
    </search>
  );
}

function foundText(state: TraceState): string {
  const shown = state.matches.value ?? 0;
  return shown === 0 ? 'no step' : pluralize(shown, 'step');
}
