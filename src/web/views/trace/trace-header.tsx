import type { Trace } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import {
  atLeast,
  dollars,
  duration,
  hasModelCall,
  NO_MODEL_CALL,
  NOT_MEASURED,
  pluralize,
  shortCount,
} from '../../parts/amounts.ts';
import { Icon } from '../../parts/icon.tsx';
import { shortened } from '../../parts/shortened.ts';
import { STATUS_EXPLANATIONS, STATUS_LABELS } from '../../parts/status-label.ts';
import { exactTimeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { worstReported } from '../../trace-model/verdict.ts';
import { ShareMenu } from './share-menu.tsx';
import styles from './trace-header.module.css';
import type { TraceState } from './trace-state.ts';

/** The name, status and size of the run. */
export function TraceHeader({ state }: { state: TraceState }) {
  const trace = state.trace.value;
  const name = visibleText(trace.name) || '(unnamed run)';
  return (
    <header class={styles.header}>
      <div class={styles.title}>
        <Link to={addressOf('traces')} class={styles.back} aria-label="All traces" title="All traces">
          <Icon name="back" />
        </Link>
        <h1 tabIndex={-1} class={styles.name} dir="auto" title={name}>
          {name}
        </h1>
        <Status trace={trace} hasFailure={worstReported(state.list.value) !== null} />
        {trace.grade !== null && (
          <span class={styles.grade} title="Grade of the run, from its detections: A is best">
            grade <strong>{trace.grade}</strong> {trace.quality_score !== null && Math.round(trace.quality_score)}
          </span>
        )}
        <Rejected trace={trace} />
        <p class={styles.facts}>{factsOf(trace).map(unbroken).join(' · ')}</p>
        <ShareMenu state={state} />
      </div>
      {trace.task !== null && trace.task !== trace.name && (
        <p class={styles.task} dir="auto" title={visibleText(trace.task.slice(0, 1_000))}>
          {visibleText(trace.task.slice(0, 300))}
        </p>
      )}
    </header>
  );
}

/** The status with a symbol, so that colour is not the only difference. An ended run with a detection has no tick. */
function Status({ trace, hasFailure }: { trace: Trace; hasFailure: boolean }) {
  const symbols = { running: '●', ok: '✓', error: '✕' } as const;
  const isNeutral = trace.status === 'ok' && hasFailure;
  return (
    <span
      class={`${styles.status} ${isNeutral ? styles.neutral : styles[trace.status]}`}
      title={STATUS_EXPLANATIONS[trace.status]}
    >
      {!isNeutral && <span aria-hidden="true">{symbols[trace.status]}</span>} {STATUS_LABELS[trace.status]}
    </span>
  );
}

/** How many records of the run could not be read: steps are missing. */
function Rejected({ trace: { rejected_records: rejected } }: { trace: Trace }) {
  if (rejected === null) return null;
  return (
    <span class={styles.rejected} title="They were received and could not be read: steps of the run are missing">
      <span aria-hidden="true">!</span> {pluralize(rejected.count, 'record')} rejected
      {rejected.is_end_missing && ', end not recorded'}
    </span>
  );
}

function costOf(trace: Trace): string {
  if (!hasModelCall(trace)) return NO_MODEL_CALL;
  return trace.cost_usd === null ? `cost ${NOT_MEASURED}` : atLeast(trace, dollars(trace.cost_usd));
}

/** A line breaks between facts, not in `19 k tokens`. */
function unbroken(fact: string): string {
  return fact.length > 32 ? fact : fact.replaceAll(' ', '\u00a0');
}

const MAX_FACT_LENGTH = 60;

function nameText(name: string): string {
  return visibleText(shortened(name, MAX_FACT_LENGTH));
}

function factsOf(trace: Trace): string[] {
  return [
    nameText(trace.framework),
    ...(trace.service_name === null ? [] : [nameText(trace.service_name)]),
    pluralize(trace.span_count, 'step'),
    ...(trace.agent_ids.length > 0 ? [pluralize(trace.agent_ids.length, 'agent')] : []),
    ...(trace.total_tokens > 0 ? [`${atLeast(trace, shortCount(trace.total_tokens))} tokens`] : []),
    costOf(trace),
    ...(trace.duration_ms === null ? [] : [duration(trace.duration_ms * 1_000)]),
    `${exactTimeText(trace.started_at)} ${ZONE}`,
  ];
}
