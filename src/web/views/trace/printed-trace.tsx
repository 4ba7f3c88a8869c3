import type { Detection } from '../../../client/misstep-client.generated.ts';
import { addressOf } from '../../address/router.ts';
import { atLeast, exactDollars, exactWasteText, pluralize } from '../../parts/amounts.ts';
import { confidenceText } from '../../parts/confidence-text.ts';
import { Prose } from '../../parts/prose.tsx';
import { shortened } from '../../parts/shortened.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { ancestorsOf } from '../../trace-model/columns.ts';
import { evidenceLabel, evidenceText } from '../../trace-model/evidence-text.ts';
import { repeatedStep } from '../../trace-model/named-step.ts';
import { PrintedFixes } from './fixes.tsx';
import styles from './printed-trace.module.css';
import type { TraceState } from './trace-state.ts';

const MAX_DETECTIONS = 12;
const MAX_EVIDENCE = 40;
const MAX_STEPS = 24;
const MAX_QUOTE_LENGTH = 300;

/** Replaces the grid in print: the detections with their evidence, impact and fixes, and the path to the selected step. */
export function PrintedTrace({ state }: { state: TraceState }) {
  const detections = state.detections.value.ordered.filter(({ severity }) => severity !== 'observation');
  const { trace_id: traceId, cost_usd: cost } = state.trace.value;
  const step = state.selected.value;
  const path = step < 0 ? [] : [...ancestorsOf(state.columns.value, step), step];
  return (
    <div class={styles.printed} aria-hidden="true">
      <div class={styles.part}>
        <div>Trace {traceId}</div>
        <div>Address {location.origin + addressOf('trace', { id: traceId })}</div>
        {cost !== null && <div>Cost of the run: {atLeast(state.trace.value, exactDollars(cost))}</div>}
      </div>
      {detections.slice(0, MAX_DETECTIONS).map((detection) => (
        <PrintedDetection key={detection.detection_id} detection={detection} state={state} />
      ))}
      {path.length > 0 && <strong>Path to the selected step</strong>}
      {path.slice(-MAX_STEPS).map((stepIndex) => (
        <div key={stepIndex}>{visibleText(state.stepText(stepIndex))}</div>
      ))}
    </div>
  );
}

function PrintedDetection({ detection, state }: { detection: Detection; state: TraceState }) {
  const shown = detection.evidence.filter((item) => evidenceText(item) !== '');
  const named = repeatedStep(detection, state.stepOf.value);
  return (
    <div class={styles.part}>
      <strong>
        {detection.severity}: <Prose text={detection.title} />
      </strong>
      <div>
        {detection.step === null ? 'whole run' : `step ${detection.step}`}
        {named && `, the first repeat of step ${named.repeats}`} · {confidenceText(detection)}
      </div>
      {detection.agent_id !== null && (
        <div>
          {detection.agent_kind === 'node' ? 'Node' : 'Agent'}: {visibleText(detection.agent_id)}
        </div>
      )}
      <div>Wasted: {exactWasteText({ tokens: detection.wasted_tokens, cost: detection.wasted_cost_usd })}</div>
      <div>
        <Prose text={detection.explanation} />
      </div>
      {shown.slice(0, MAX_EVIDENCE).map((item, index) => (
        <div key={index} class={styles.quote}>
          step {state.stepOf.value.get(item.span_id) ?? '?'}, {visibleText(evidenceLabel(item))}
          {item.step_count > 1 && `, the same in ${pluralize(item.step_count, 'step')}`}:{' '}
          {visibleText(shortened(evidenceText(item), MAX_QUOTE_LENGTH))}
        </div>
      ))}
      {shown.length > MAX_EVIDENCE && <div>and {pluralize(shown.length - MAX_EVIDENCE, 'more quote')}</div>}
      {detection.business_impact !== '' && (
        <div>
          Impact: <Prose text={detection.business_impact} />
        </div>
      )}
      <PrintedFixes detection={detection} state={state} />
    </div>
  );
}
