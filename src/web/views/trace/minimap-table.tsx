import { useSignal } from '@preact/signals';
import { count, duration } from '../../parts/amounts.ts';
import { minimapBins } from '../../trace-model/minimap-bins.ts';
import { severityOf } from '../../trace-model/step-detections.ts';
import styles from './minimap.module.css';
import type { TraceState } from './trace-state.ts';

const PARTS = 20;

/** What the strip shows, as a table: the run in twenty parts of equal length. */
export function MinimapTable({ state }: { state: TraceState }) {
  const isOpen = useSignal(false);
  return (
    <details
      class={styles.fields}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>Show as table</summary>
      {isOpen.value && <PartsTable state={state} />}
    </details>
  );
}

function PartsTable({ state }: { state: TraceState }) {
  const scale = state.runScale.value;
  const { columns, shownEnd, detections } = state;
  const bins = minimapBins(
    { columns: columns.value, shownEnd: shownEnd.value, scale, worst: detections.value.decisive },
    PARTS,
  );
  const time = (part: number) => duration(Math.max(0, scale.toTime(part / PARTS)));
  return (
    <table class={styles.table}>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Errors</th>
          <th scope="col">Detections</th>
          <th scope="col">Worst</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: PARTS }, (_, part) => (
          <tr key={part}>
            <th scope="row">
              {time(part)} – {time(part + 1)}
            </th>
            <td>{count(bins.errors[part]!)}</td>
            <td>{count(bins.detections[part]!)}</td>
            <td>{severityOf(bins.severities[part]!) ?? 'none'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
