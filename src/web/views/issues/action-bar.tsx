import type { ComponentChildren } from 'preact';
import type { Issue } from '../../../client/misstep-client.generated.ts';
import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import style from './action-bar.module.css';
import { expectedStatuses, type IssueChange } from './issue-actions.ts';
import { changeAndSelectNext } from './selection.ts';

const DAY_MS = 86_400_000;

interface ActionBarProps {
  issues: readonly Issue[];
  /** The primary action; without it, the primary one is to resolve them. */
  children?: ComponentChildren;
}

/** Actions on issues. Each has a shortcut and can be undone. */
export function ActionBar({ issues, children }: ActionBarProps) {
  const run = (change: IssueChange) => () => void changeAndSelectNext(issues, change);
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const statuses = issues.map(({ issue_id, status }) => expectedStatuses.value.get(issue_id) ?? status);
  const hasOpen = statuses.includes('open');
  const hasClosed = statuses.some((status) => status !== 'open');
  return (
    <div class={style.bar}>
      {children}
      {hasOpen && (
        <>
          <Button
            variant={children === undefined ? 'primary' : 'normal'}
            shortcut="e"
            onClick={run({ action: 'resolve' })}
          >
            Resolve
          </Button>
          <Menu
            label="Ignore"
            items={[
              { label: 'until it recurs', run: run({ action: 'ignore', runs: 1 }) },
              { label: 'for 100 more runs', run: run({ action: 'ignore', runs: 100 }) },
              { label: 'until I reopen it', run: run({ action: 'ignore' }) },
            ]}
          />
          <Menu
            label="Snooze"
            items={[
              { label: 'for 1 day', run: () => run({ action: 'snooze', until: inDays(1) })() },
              { label: 'for 7 days', run: () => run({ action: 'snooze', until: inDays(7) })() },
            ]}
          />
        </>
      )}
      {hasClosed && <Button onClick={run({ action: 'reopen' })}>Reopen</Button>}
    </div>
  );
}
