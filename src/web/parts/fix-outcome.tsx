import type { FixOutcome as Outcome } from '../../client/misstep-client.generated.ts';
import { Link } from '../address/link.tsx';
import { addressOf } from '../address/router.ts';
import style from './fix-outcome.module.css';
import { fixOutcomeParts, fixOutcomeState, runsQuery } from './fix-outcome-text.ts';

const MARKS = { open: '–', holds: '✓', recurred: '↺' } as const;

interface FixOutcomeProps {
  outcome: Outcome;
  /** When the issue was resolved; null if it is not. */
  resolvedAt?: string | null;
}

/** Whether a fix holds, with a link to the runs that show it. */
export function FixOutcome({ outcome, resolvedAt = null }: FixOutcomeProps) {
  const state = fixOutcomeState(outcome);
  const { before, runs, after } = fixOutcomeParts(outcome, resolvedAt);
  const query = runsQuery(outcome);
  return (
    <span class={style[state]}>
      <span aria-hidden="true">{MARKS[state]}</span> {before}
      {query === null ? runs : <Link to={addressOf('traces', query)}>{runs}</Link>}
      {after}
    </span>
  );
}
