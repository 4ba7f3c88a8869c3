import type { Detection, Evidence } from '../../../client/misstep-client.generated.ts';
import { NOT_MEASURED, pluralize, wasteText } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { confidenceText } from '../../parts/confidence-text.ts';
import { Prose } from '../../parts/prose.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { typeLabel } from '../../parts/type-label.ts';
import { repeatedStep } from '../../trace-model/named-step.ts';
import styles from './detection-panel.module.css';
import { EvidenceList } from './evidence-list.tsx';
import { FeedbackForm } from './feedback-form.tsx';
import { Fixes } from './fixes.tsx';
import { IssueLink } from './issue-link.tsx';
import type { TraceState } from './trace-state.ts';

interface DetectionPanelProps {
  state: TraceState;
  onSelect(detection: Detection): void;
  /** Selects the detection at the offset in the list, wrapping around at the end. */
  onStep(offset: number): void;
  onShowEvidence(evidence: Evidence): void;
  onFeedback(detection: Detection, isRight: boolean, comment: string | null): void;
}

/** One detection: its explanation, cost, fixes, impact, evidence and feedback. */
export function DetectionPanel({ state, onSelect, onStep, onShowEvidence, onFeedback }: DetectionPanelProps) {
  const detection = state.detection.value;
  const { ordered } = state.detections.value;
  if (ordered.length === 0)
    return (
      <aside class={styles.panel} aria-label="Detections">
        <p class={styles.empty}>No detector reported anything in this run.</p>
      </aside>
    );
  return (
    <aside class={styles.panel} aria-label="Detections">
      <DetectionPager state={state} ordered={ordered} onStep={onStep} />
      {detection === null ? (
        <DetectionList ordered={ordered} onSelect={onSelect} />
      ) : (
        <DetectionText detection={detection} state={state} onShowEvidence={onShowEvidence} onFeedback={onFeedback} />
      )}
    </aside>
  );
}

function DetectionPager({
  state,
  ordered,
  onStep,
}: Pick<DetectionPanelProps, 'state' | 'onStep'> & { ordered: readonly Detection[] }) {
  const index = ordered.findIndex(({ detection_id }) => detection_id === state.detection.value?.detection_id);
  return (
    <div class={styles.walk}>
      <h2>{index < 0 ? pluralize(ordered.length, 'detection') : `Detection ${index + 1} of ${ordered.length}`}</h2>
      {ordered.length > 1 && (
        <>
          <Button variant="plain" shortcut="[" label="Previous detection" onClick={() => onStep(-1)}>
            ‹
          </Button>
          <Button variant="plain" shortcut="]" label="Next detection" onClick={() => onStep(1)}>
            ›
          </Button>
        </>
      )}
    </div>
  );
}

const MAX_LISTED = 50;

function DetectionList({ ordered, onSelect }: { ordered: readonly Detection[]; onSelect(detection: Detection): void }) {
  return (
    <ul class={styles.list}>
      {ordered.slice(0, MAX_LISTED).map((detection) => (
        <li key={detection.detection_id}>
          <button type="button" onClick={() => onSelect(detection)}>
            <SeverityMark severity={detection.severity} />
            <bdi>
              <Prose text={detection.title} />
            </bdi>
            <span class={styles.at}>{detection.step === null ? 'whole run' : `step ${detection.step}`}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function DetectionText({
  detection,
  state,
  onShowEvidence,
  onFeedback,
}: Pick<DetectionPanelProps, 'state' | 'onShowEvidence' | 'onFeedback'> & { detection: Detection }) {
  const named = repeatedStep(detection, state.stepOf.value);
  const isObservation = detection.severity === 'observation';
  return (
    <article class={styles.detection}>
      <p class={styles.head}>
        <SeverityMark severity={detection.severity} hasLabel />
        <span>{confidenceText(detection)}</span>
        {detection.withdrawn_at !== null && <span class={styles.tag}>withdrawn</span>}
        {isObservation && <span class={styles.tag}>weak signal: not reported</span>}
      </p>
      <h3 class={styles.title} dir="auto">
        <Prose text={detection.title} />
      </h3>
      <p class={styles.kind}>
        {typeLabel(detection.detection_type, detection.subtype)}
        {/* A fact can be read in the trace, so the measured quality of its detector says little about it. */}
        {detection.tier !== 'production' && detection.basis !== 'fact' && ` · ${detection.tier} detector`}
        {detection.issue_id !== null && (
          <>
            {' · '}
            <IssueLink issueId={detection.issue_id} />
          </>
        )}
      </p>
      <h3>Why</h3>
      <p dir="auto">
        <Prose text={detection.explanation} />
        {named && ` Step ${named.step} is named because it is the first repeat of step ${named.repeats}.`}
      </p>
      <h3>Cost</h3>
      <p>{wasteOf(detection)}</p>
      <h3>Fix</h3>
      <Fixes detection={detection} state={state} />
      {detection.business_impact !== '' && (
        <>
          <h3>Impact</h3>
          <p dir="auto">
            <Prose text={detection.business_impact} />
          </p>
        </>
      )}
      <EvidenceList key={detection.detection_id} detection={detection} state={state} onShowEvidence={onShowEvidence} />
      <FeedbackForm detection={detection} onFeedback={(isRight, comment) => onFeedback(detection, isRight, comment)} />
    </article>
  );
}

function wasteOf({ wasted_tokens: tokens, wasted_cost_usd: cost }: Detection): string {
  const text = wasteText({ tokens, cost });
  return text === NOT_MEASURED ? `Waste ${text}` : `${text} wasted`;
}
