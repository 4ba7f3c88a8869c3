import { useSignal } from '@preact/signals';
import type { Detection, Evidence } from '../../../client/misstep-client.generated.ts';
import { count } from '../../parts/amounts.ts';
import { shortened } from '../../parts/shortened.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { nameOf } from '../../trace-model/columns.ts';
import { evidenceLabel, evidenceText } from '../../trace-model/evidence-text.ts';
import styles from './detection-panel.module.css';
import type { TraceState } from './trace-state.ts';

interface EvidenceListProps {
  detection: Detection;
  state: TraceState;
  /** Opens the step and marks the quote. */
  onShowEvidence(evidence: Evidence): void;
}

const INITIAL_COUNT = 6;
const MAX_QUOTE_LENGTH = 400;

/** Each piece of evidence with its step. Consecutive equal quotes are labelled, because loops repeat them. */
export function EvidenceList({ detection, state, onShowEvidence }: EvidenceListProps) {
  const limit = useSignal(INITIAL_COUNT);
  const { evidence } = detection;
  if (evidence.length === 0) return null;
  return (
    <>
      <h3>Evidence</h3>
      <ol class={styles.evidence}>
        {evidence.slice(0, limit.value).map((item, index) => (
          <li key={index} class={isShort(item) ? styles.inline : ''}>
            <EvidenceLink evidence={item} state={state} onShowEvidence={onShowEvidence} />
            <Quote evidence={item} previous={evidence[index - 1]} />
          </li>
        ))}
      </ol>
      {limit.value < evidence.length && (
        <button
          type="button"
          class={styles.more}
          onClick={() => {
            limit.value = evidence.length;
          }}
        >
          Show all {count(evidence.length)}
        </button>
      )}
    </>
  );
}

const MAX_INLINE_LENGTH = 24;

/** Quotes up to this length are shown on the line of their step. */
function isShort(evidence: Evidence): boolean {
  return evidenceText(evidence).length <= MAX_INLINE_LENGTH;
}

function EvidenceLink({
  evidence,
  state,
  onShowEvidence,
}: {
  evidence: Evidence;
  state: TraceState;
  onShowEvidence(evidence: Evidence): void;
}) {
  const step = state.stepOf.value.get(evidence.span_id);
  const label = evidenceLabel(evidence);
  if (step === undefined) return <span class={styles.place}>{visibleText(label)}</span>;
  return (
    <button
      type="button"
      class={styles.place}
      onClick={() => onShowEvidence(evidence)}
      title={visibleText(nameOf(state.columns.value, step).slice(0, 200))}
    >
      <span class={styles.number}>step {step}</span>
      <bdi class={styles.path}>{visibleText(label)}</bdi>
    </button>
  );
}

function Quote({ evidence, previous }: { evidence: Evidence; previous: Evidence | undefined }) {
  const text = evidenceText(evidence);
  if (text === '') return null;
  const isSame = previous !== undefined && evidenceText(previous) === text;
  const { step_count } = evidence;
  const shown = shortened(text, MAX_QUOTE_LENGTH);
  return (
    <div class={styles.quote}>
      <code dir="auto">{visibleText(shown)}</code>
      {isSame && <span class={styles.same}>= same as above</span>}
      {step_count > 1 && <span class={styles.same}>the same in {count(step_count)} steps</span>}
    </div>
  );
}
