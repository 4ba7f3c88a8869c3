import type { Span, StateSnapshot, TracesStatesOutput } from '../../../client/misstep-client.generated.ts';
import { problemTextOf } from '../../data/problem-text.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { withRetries } from '../../data/with-retries.ts';
import { pluralize } from '../../parts/amounts.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import styles from './step-detail.module.css';

/** The state snapshots of the step, with their changes. */
export function StateOfStep({ traceId, span }: { traceId: string; span: Span }) {
  const query = useQuery<TracesStatesOutput>(
    `trace:${traceId}:states:of:${span.span_id}`,
    withRetries((signal) =>
      server.traces.states({ tenant_id: tenantId.value!, trace_id: traceId, span_id: span.span_id }, { signal }),
    ),
  );
  const { value, error } = query.value;
  if (error !== undefined) return <p class={styles.note}>{problemTextOf(error).text}</p>;
  if (value === undefined) return <p class={styles.note}>Loading the states…</p>;
  if (value.items.length === 0) return <p class={styles.note}>{missingText(value)}</p>;
  return (
    <>
      {value.items.map((snapshot) => (
        <Snapshot key={snapshot.sequence} snapshot={snapshot} />
      ))}
    </>
  );
}

function missingText({ total }: TracesStatesOutput): string {
  return total === 0
    ? 'This run has no state snapshots: its framework does not send any.'
    : `This step wrote no state. The run has ${pluralize(total, 'snapshot')}: see the view State.`;
}

function Snapshot({ snapshot }: { snapshot: StateSnapshot }) {
  return (
    <>
      {snapshot.delta !== null && (
        <>
          <h3>Changed by this step</h3>
          <JsonTree value={snapshot.delta} hasQuotes />
        </>
      )}
      <h3>State after this step</h3>
      <JsonTree value={snapshot.state} hasQuotes />
    </>
  );
}
