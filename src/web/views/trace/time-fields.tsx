import { Button } from '../../parts/button.tsx';
import styles from './minimap.module.css';
import type { TraceAddress } from './trace-address.ts';
import type { TraceState } from './trace-state.ts';

interface TimeFieldsProps {
  state: TraceState;
  go(change: Partial<TraceAddress>): void;
}

const US_PER_SECOND = 1_000_000;

/** Input fields for the time window, as an alternative to dragging across the minimap. */
export function TimeFields({ state, go }: TimeFieldsProps) {
  const window = state.window.value ?? { from: 0, to: state.columns.value.lastTime };
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const [from, to] = [microseconds(fields.get('from')), microseconds(fields.get('to'))];
    if (from < to) go({ window: { from, to } });
  }
  return (
    <details class={styles.fields}>
      <summary>Time window</summary>
      <form onSubmit={submit} class={styles.form}>
        <label>
          From
          <input name="from" type="number" min="0" step="any" value={window.from / US_PER_SECOND} /> s
        </label>
        <label>
          to
          <input name="to" type="number" min="0" step="any" value={window.to / US_PER_SECOND} /> s
        </label>
        <Button type="submit">Show</Button>
      </form>
    </details>
  );
}

function microseconds(field: FormDataEntryValue | null): number {
  const seconds = Number(field);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * US_PER_SECOND) : 0;
}
