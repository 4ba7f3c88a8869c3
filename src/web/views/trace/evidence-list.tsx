import { useSignal } from '@preact/signals';
import type { Detection, Evidence } from '../../../client/misstep-client.generated.ts';
import { count } from '../../parts/amounts.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { nameOf } from '../../trace-model/columns.ts';
import styles from './detection-panel.module.css';
import type { TraceState } from './trace-state.ts';

interface EvidenceListProps {
  detection: Detection;
  state: TraceState;
  /** Shows the step with the quote marked. */
  jump(evidence: Evidence): void;
}

const FIRST = 6;
const LONGEST_QUOTE = 400;

/** Each piece of evidence with its step; equal quotes in a row say so, as repetition is what loops show. */
export function EvidenceList({ detection, state, jump }: EvidenceListProps) {
  const most = useSignal(FIRST);
  const { evidence } = detection;
  if (evidence.length === 0) return null;
  return (
    <>
      <h3>Evidence</h3>
      <ol class={styles.evidence}>
        {evidence.slice(0, most.value).map((one, at) => (
          <li key={at}>
            <Place evidence={one} state={state} jump={jump} />
            <Quote evidence={one} before={evidence[at - 1]} />
          </li>
        ))}
      </ol>
      {most.value < evidence.length && (
        <button
          type="button"
          class={styles.more}
          onClick={() => {
            most.value = evidence.length;
          }}
        >
          Show all {count(evidence.length)}
        </button>
      )}
    </>
  );
}

function Place({ evidence, state, jump }: { evidence: Evidence; state: TraceState; jump(evidence: Evidence): void }) {
  const step = state.stepOf.value.get(evidence.span_id);
  const what = (evidence.path ?? evidence.kind).replaceAll('_', ' ');
  if (step === undefined) return <span class={styles.place}>{visibleText(what)}</span>;
  return (
    <button
      type="button"
      class={styles.place}
      onClick={() => jump(evidence)}
      title={visibleText(nameOf(state.columns.value, step).slice(0, 200))}
    >
      <span class={styles.number}>step {step}</span>
      <bdi class={styles.path}>{visibleText(what)}</bdi>
    </button>
  );
}

function Quote({ evidence, before }: { evidence: Evidence; before: Evidence | undefined }) {
  const text = quoteOf(evidence);
  if (text === '') return null;
  const isSame = before !== undefined && quoteOf(before) === text;
  const shown = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return (
    <div class={styles.quote}>
      <code dir="auto">{visibleText(shown)}</code>
      {isSame && <span class={styles.same}>= same as above</span>}
    </div>
  );
}

function quoteOf({ quote, value }: Evidence): string {
  if (quote !== null) return quote;
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
