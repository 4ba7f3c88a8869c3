import type { Issue } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { pluralize } from '../../parts/amounts.ts';
import { FixOutcome } from '../../parts/fix-outcome.tsx';
import { Prose } from '../../parts/prose.tsx';
import { withoutBackticks } from '../../parts/prose-parts.ts';
import { relativeTime } from '../../parts/relative-time.ts';
import { shortened } from '../../parts/shortened.ts';
import { Sparkline } from '../../parts/sparkline.tsx';
import { typeLabel } from '../../parts/type-label.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { IssueBadges } from './issue-badges.tsx';
import { shortCostText } from './issue-cost.ts';
import style from './issue-row.module.css';
import { workflowText } from './issue-workflows.ts';

interface IssueRowProps {
  issue: Issue;
  to: string;
  isSelected: boolean;
  /** Undefined if the key is read-only. */
  check?: { isChecked: boolean; toggle(): void } | undefined;
  now: number;
}

/** One issue: its failure, an excerpt of the newest run, its number of runs and its cost. */
export function IssueRow({ issue, to, isSelected, check, now }: IssueRowProps) {
  const { title, runs_by_day, run_count, affected_agents, affected_workflows, example_explanation, fix_outcome } =
    issue;
  return (
    <li class={style.row} data-selected={isSelected} data-issue={issue.issue_id}>
      {check && (
        <label class={style.check}>
          <input
            type="checkbox"
            checked={check.isChecked}
            onChange={check.toggle}
            aria-label={`Select: ${withoutBackticks(title)}`}
          />
        </label>
      )}
      <div class={style.what}>
        <div class={style.marks}>
          <IssueBadges issue={issue} />
          <span class={style.where} dir="auto">
            {`${typeLabel(issue.detection_type, issue.subtype)} · ${visibleText(agentNames(affected_agents))}`}
          </span>
        </div>
        <Link to={to} class={style.title} {...(isSelected ? { 'aria-current': 'true' as const } : {})}>
          <bdi>
            <Prose text={title} />
          </bdi>
        </Link>
        {example_explanation !== null && (
          <p class={style.explanation} dir="auto">
            <Prose text={example_explanation} />
          </p>
        )}
        {affected_workflows.length > 0 && (
          <p class={style.workflows} dir="auto">
            {workflowText(affected_workflows)}
          </p>
        )}
        {fix_outcome !== null && fix_outcome.run_count > 0 && (
          <p class={style.outcome}>
            <FixOutcome outcome={fix_outcome} resolvedAt={issue.resolved_at} />
          </p>
        )}
      </div>
      <div class={style.figures}>
        <Sparkline values={runs_by_day} noun="run" />
        <span class={style.runs}>{pluralize(run_count, 'run')}</span>
        <span class={style.cost}>{shortCostText(issue)}</span>
        <span class={style.seen}>last seen {relativeTime(issue.last_run_at ?? issue.last_seen_at, now)}</span>
      </div>
    </li>
  );
}

const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 100;

function agentNames(agents: readonly string[]): string {
  if (agents.length === 0) return 'unknown agent';
  const rest = agents.length - MAX_NAMES;
  const shown = agents.slice(0, MAX_NAMES).map((name) => shortened(name, MAX_NAME_LENGTH));
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
