import type { Issue } from '../../../client/misstep-client.generated.ts';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import style from './issue-badges.module.css';
import { DID_NOT_HOLD, fixProgress } from './issue-fix.ts';
import { mutedText } from './muted-text.ts';

/** The severity of an issue, whether it is new, regressed or snoozed, and how far its fix is. */
export function IssueBadges({ issue }: { issue: Issue }) {
  const progress = fixProgress(issue);
  const muted = mutedText(issue);
  return (
    <>
      <SeverityMark severity={issue.severity} hasLabel />
      {issue.regressed_at && issue.status === 'open' && <span class={style.regressed}>↺ regressed</span>}
      {issue.is_new && <span class={style.new}>new</span>}
      {muted !== null && <span class={style.muted}>{muted}</span>}
      {progress !== null && <span class={progress === DID_NOT_HOLD ? style.regressed : style.fix}>fix {progress}</span>}
    </>
  );
}
