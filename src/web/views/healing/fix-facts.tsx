import type { Detection, Fix } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { Prose } from '../../parts/prose.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import style from './healing.module.css';

/** Warnings to consider before a fix is approved. */
export function FixCautions({ fix: { breaking, requires_testing } }: { fix: Fix }) {
  return (
    <>
      {breaking && <p class={style.caution}>Breaking: whatever depends on the changed part can stop working.</p>}
      {requires_testing && <p class={style.none}>Test it before you use it in production.</p>}
    </>
  );
}

/** The detection of a fix, with links to its trace and its issue. */
export function DetectionLinks({ detection }: { detection: Detection }) {
  const { title, severity, trace_id, detection_id, issue_id, step, agent_id } = detection;
  return (
    <>
      <p>
        <SeverityMark severity={severity} hasLabel />{' '}
        <bdi>
          <Prose text={title} />
        </bdi>
      </p>
      <p class={style.links}>
        <Link to={addressOf('trace', { id: trace_id }, { finding: detection_id })}>
          {step === null ? 'Open the trace' : `Open the trace at step ${step}`}
          {agent_id !== null && (
            <>
              {' '}
              (<bdi>{visibleText(agent_id)}</bdi>)
            </>
          )}
        </Link>
        {issue_id !== null && <Link to={addressOf('issue', { id: issue_id })}>Open the issue</Link>}
      </p>
    </>
  );
}
