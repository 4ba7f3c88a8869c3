import type { Detection, Evidence } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { count, dollars, pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { confidenceText } from '../../parts/confidence-text.ts';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import styles from './detection-panel.module.css';
import { EvidenceList } from './evidence-list.tsx';
import { FeedbackForm } from './feedback-form.tsx';
import { FixView } from './fix-view.tsx';
import type { TraceState } from './trace-state.ts';

interface DetectionPanelProps {
  state: TraceState;
  show(detection: Detection): void;
  /** Shows the detection so many places further on, around the end of the list. */
  walk(by: number): void;
  jump(evidence: Evidence): void;
  judge(detection: Detection, isRight: boolean, comment: string | null): void;
}

/** One detection: why it was made, what it cost, what fixes it, and whether it is right. */
export function DetectionPanel({ state, show, walk, jump, judge }: DetectionPanelProps) {
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
      <Walk state={state} ordered={ordered} walk={walk} />
      {detection === null ? (
        <DetectionList ordered={ordered} show={show} />
      ) : (
        <DetectionText detection={detection} state={state} jump={jump} judge={judge} />
      )}
    </aside>
  );
}

function Walk({
  state,
  ordered,
  walk,
}: Pick<DetectionPanelProps, 'state' | 'walk'> & { ordered: readonly Detection[] }) {
  const at = ordered.findIndex(({ detection_id }) => detection_id === state.detection.value?.detection_id);
  return (
    <div class={styles.walk}>
      <h2>{at < 0 ? pluralize(ordered.length, 'detection') : `Detection ${at + 1} of ${ordered.length}`}</h2>
      {ordered.length > 1 && (
        <>
          <Button look="plain" shortcut="[" label="Previous detection" onClick={() => walk(-1)}>
            ‹
          </Button>
          <Button look="plain" shortcut="]" label="Next detection" onClick={() => walk(1)}>
            ›
          </Button>
        </>
      )}
    </div>
  );
}

const MAX_LISTED = 50;

function DetectionList({ ordered, show }: { ordered: readonly Detection[]; show(detection: Detection): void }) {
  return (
    <ul class={styles.list}>
      {ordered.slice(0, MAX_LISTED).map((detection) => (
        <li key={detection.detection_id}>
          <button type="button" onClick={() => show(detection)}>
            <SeverityMark severity={detection.severity} />
            <bdi>{visibleText(detection.title)}</bdi>
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
  jump,
  judge,
}: Pick<DetectionPanelProps, 'state' | 'jump' | 'judge'> & { detection: Detection }) {
  const isQuiet = detection.severity === 'observation';
  return (
    <article class={styles.detection}>
      <p class={styles.head}>
        <SeverityMark severity={detection.severity} hasLabel />
        <span>{confidenceText(detection)}</span>
        {detection.withdrawn_at !== null && <span class={styles.tag}>withdrawn</span>}
        {isQuiet && <span class={styles.tag}>weak signal: not reported</span>}
      </p>
      <h3 class={styles.title} dir="auto">
        {visibleText(detection.title)}
      </h3>
      <p class={styles.kind}>
        {detection.detection_type.replaceAll('_', ' ')} · {detection.subtype.replaceAll('_', ' ')}
        {detection.tier !== 'production' && ` · ${detection.tier}`}
        {detection.issue_id !== null && (
          <>
            {' · '}
            <Link to={addressOf('issue', { id: detection.issue_id })}>issue</Link>
          </>
        )}
      </p>
      <h3>Why</h3>
      <p dir="auto">{visibleText(detection.explanation)}</p>
      <EvidenceList key={detection.detection_id} detection={detection} state={state} jump={jump} />
      {detection.business_impact !== '' && (
        <>
          <h3>Impact</h3>
          <p dir="auto">{visibleText(detection.business_impact)}</p>
        </>
      )}
      <h3>Cost</h3>
      <p>{wasteText(detection)}</p>
      <h3>Fix</h3>
      {detection.suggested_action !== '' && <p dir="auto">{visibleText(detection.suggested_action)}</p>}
      {detection.fixes.map((fix) => (
        <FixView key={fix.fix_id} fix={fix} />
      ))}
      <FeedbackForm detection={detection} judge={(isRight, comment) => judge(detection, isRight, comment)} />
    </article>
  );
}

/** Zero can also mean unknown, so it is not shown as a number. */
function wasteText({ wasted_tokens: tokens, wasted_cost_usd: cost }: Detection): string {
  const parts = [...(tokens > 0 ? [`${count(tokens)} tokens`] : []), ...(cost > 0 ? [dollars(cost)] : [])];
  return parts.length === 0 ? 'No waste was measured.' : `${parts.join(', ')} wasted`;
}
