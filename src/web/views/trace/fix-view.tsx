import { useMemo } from 'preact/hooks';
import type { Fix } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { hasScope } from '../../data/session.ts';
import { diffLinesOf } from '../../parts/diff-lines.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { ProposedText } from '../../parts/proposed-text.tsx';
import { Prose } from '../../parts/prose.tsx';
import { isProse } from '../../parts/prose-parts.ts';
import { zonedTimeText } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import styles from './detection-panel.module.css';

/** A suggested fix without a plan: its changes, rationale and risk. */
export function FixView({ fix }: { fix: Fix }) {
  return (
    <details class={styles.fix}>
      <summary>
        <bdi>
          <Prose text={fix.title} />
        </bdi>
        <span class={styles.risk}>{fix.risk} risk</span>
      </summary>
      <p dir="auto">
        <Prose text={fix.description} />
      </p>
      {fix.rationale !== '' && (
        <p dir="auto">
          <strong>Why it helps:</strong> <Prose text={fix.rationale} />
        </p>
      )}
      <p class={styles.flags}>{flagsOf(fix).join(' · ')}</p>
      {fix.changes.map((change, index) => (
        <Change key={index} change={change} />
      ))}
      {hasScope('write') && (
        <p class={styles.plan}>
          <Link to={addressOf('newPlan', { detection: fix.detection_id, fix: fix.fix_id })}>Plan fix</Link>
        </p>
      )}
    </details>
  );
}

function flagsOf({ breaking, requires_testing, applied_at }: Fix): string[] {
  return [
    ...(breaking ? ['breaks what depends on it'] : []),
    ...(requires_testing ? ['test it first'] : []),
    ...(applied_at === null ? [] : [`recorded as applied ${zonedTimeText(applied_at)}`]),
  ];
}

function Change({ change }: { change: Fix['changes'][number] }) {
  const lines = useMemo(() => diffLinesOf(change), [change]);
  const target = visibleText(change.target);
  const isProposal = change.format === 'text' && change.before === null;
  return (
    <div class={styles.change}>
      {target !== '' && <bdi class={styles.target}>{target}</bdi>}
      {isProposal && isProse(change.after) ? (
        <ProposedText text={change.after} />
      ) : (
        <DiffView lines={lines} label={target === '' ? 'Change' : `Change of ${target}`} />
      )}
    </div>
  );
}
