import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { StateSnapshot, TracesStatesOutput } from '../../../client/misstep-client.generated.ts';
import { problemTextOf } from '../../data/problem-text.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { withRetries } from '../../data/with-retries.ts';
import { pluralize } from '../../parts/amounts.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { shortened } from '../../parts/shortened.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { type StateChange, stateChanges, typeOf } from '../../trace-model/state-changes.ts';
import { Pager } from './pager.tsx';
import styles from './state-list.module.css';
import type { TraceAddress } from './trace-address.ts';
import type { TraceState } from './trace-state.ts';
import { useShownItem } from './use-shown-item.ts';

interface StateListProps {
  traceId: string;
  state: TraceState;
  go(change: Partial<TraceAddress>): void;
}

const PAGE_SIZE = 20;

/** The state snapshots of the run in order: the changes of each, and the whole state on request. It opens at the selected step. */
export function StateList({ traceId, state, go }: StateListProps) {
  const from = useSignal(0);
  useEffect(() => {
    const spanId = state.spanOf(state.selected.peek());
    if (spanId === null) return;
    const controller = new AbortController();
    server.traces
      .states({ tenant_id: tenantId.value!, trace_id: traceId, span_id: spanId }, { signal: controller.signal })
      .then(({ items: [snapshot] }) => {
        if (snapshot) from.value = snapshot.sequence - (snapshot.sequence % PAGE_SIZE);
      })
      // The list then begins at the first snapshot.
      .catch(() => undefined);
    return () => controller.abort();
  }, [traceId]);
  // One more than is shown, because the first change is relative to the previous snapshot.
  const first = Math.max(0, from.value - 1);
  const query = useQuery<TracesStatesOutput>(
    `trace:${traceId}:states:${first}`,
    withRetries((signal) =>
      server.traces.states(
        { tenant_id: tenantId.value!, trace_id: traceId, from: first, count: PAGE_SIZE + from.value - first },
        { signal },
      ),
    ),
  );
  const { value, error } = query.value;
  if (error !== undefined) return <p class={styles.note}>{problemTextOf(error).text}</p>;
  if (value === undefined) return <p class={styles.note}>Loading the states…</p>;
  if (value.total === 0)
    return (
      <p class={styles.note}>
        This run has no state snapshots. Frameworks with a shared state send them: LangGraph checkpoints, for example.
      </p>
    );
  const shown = value.items.slice(from.value - first);
  return (
    <div class={styles.list}>
      <h2>State</h2>
      <ol>
        {shown.map((snapshot, index) => (
          <SnapshotItem
            key={snapshot.sequence}
            snapshot={snapshot}
            before={value.items[from.value - first + index - 1]}
            state={state}
            go={go}
          />
        ))}
      </ol>
      <Pager
        label="Pages of snapshots"
        from={from.value}
        size={PAGE_SIZE}
        total={value.total}
        onPage={(next) => {
          from.value = next;
        }}
      />
    </div>
  );
}

interface SnapshotItemProps {
  snapshot: StateSnapshot;
  before: StateSnapshot | undefined;
  state: TraceState;
  go(change: Partial<TraceAddress>): void;
}

function SnapshotItem({ snapshot, before, state, go }: SnapshotItemProps) {
  const isOpen = useSignal(false);
  const changes = useMemo(() => stateChanges(before?.state, snapshot.state), [snapshot, before]);
  const step = state.stepOf.value.get(snapshot.span_id);
  const isSelected = step !== undefined && step === state.selected.value;
  const item = useRef<HTMLLIElement>(null);
  useShownItem(item, isSelected);
  const actorNames = [snapshot.agent_id, snapshot.node].filter((name) => name !== null).map(visibleText);
  return (
    <li ref={item} class={`${styles.snapshot} ${isSelected ? styles.selected : ''}`}>
      <div class={styles.head}>
        {step === undefined ? (
          <span class={styles.count}>before the first step</span>
        ) : (
          <button type="button" class={styles.step} onClick={() => go({ spanId: snapshot.span_id })}>
            step {step}
          </button>
        )}
        <bdi>{[...new Set(actorNames)].join(' · ')}</bdi>
        <span class={styles.count}>{changes.length === 0 ? 'unchanged' : pluralize(changes.length, 'change')}</span>
      </div>
      <ul>
        {changes.map((change) => (
          <Change key={change.key} change={change} />
        ))}
      </ul>
      <details
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary>Whole state</summary>
        {isOpen.value && <JsonTree value={snapshot.state} hasQuotes />}
      </details>
    </li>
  );
}

const SIGNS = { added: '+', removed: '−', changed: '~' } as const;
const MAX_TEXT_LENGTH = 160;

function Change({ change: { key, kind, before, after, isBreaking } }: { change: StateChange }) {
  return (
    <li class={styles.change}>
      <span class={`${styles.sign} ${styles[kind]}`} title={kind}>
        <span aria-hidden="true">{SIGNS[kind]}</span>
        <span class="visually-hidden">{kind}</span>
      </span>
      <bdi class={styles.key}>{visibleText(key.slice(0, MAX_TEXT_LENGTH)) || 'state'}</bdi>
      <span class={styles.values} dir="auto">
        {kind !== 'added' && <del>{shortJson(before)}</del>}
        {kind === 'changed' && ' → '}
        {kind !== 'removed' && <ins>{shortJson(after)}</ins>}
      </span>
      {isBreaking && (
        <span class={styles.breaking}>
          {kind === 'removed' ? 'removed' : `${typeOf(before)} becomes ${typeOf(after)}`}
        </span>
      )}
    </li>
  );
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return visibleText(shortened(text, MAX_TEXT_LENGTH));
}
