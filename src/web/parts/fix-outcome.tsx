import type { FixOutcome as Outcome } from '../../client/misstep-client.generated.ts';
import { Link } from '../address/link.tsx';
import { addressOf } from '../address/router.ts';
import style from './fix-outcome.module.css';
import { fixOutcomeParts, fixOutcomeState, runsQuery } from './fix-outcome-text.ts';

const MARKS = { open: '○', holds: '✓', recurred: '↺' } as const;

interface FixOutcomeProps {
  outcome: Outcome;
  /** When the issue was resolved; null if it is not. */
  resolvedAt?: string | null;
}

/** The runs of an outcome, with a link to them. */
function Runs({ outcome, text }: { outcome: Outcome; text: string }) {
  const query = runsQuery(outcome);
  return query === null ? text : <Link to={addressOf('traces', query)}>{text}</Link>;
}

/** Whether a fix holds, below the time when it was applied. */
export function OutcomeSinceThen({ outcome }: { outcome: Outcome }) {
  const { before, runs } = fixOutcomeParts(outcome);
  return (
    <>
      {before}
      <Runs outcome={outcome} text={runs} /> since then
    </>
  );
}

/** Whether a fix holds, with a link to the runs that show it. */
export function FixOutcome({ outcome, resolvedAt = null }: FixOutcomeProps) {
  const state = fixOutcomeState(outcome);
  const { before, runs, after } = fixOutcomeParts(outcome, resolvedAt);
  return (
    <span class={style[state]}>
      <span aria-hidden="true">{MARKS[state]}</span> {before}
      <Runs outcome={outcome} text={runs} />
      {after}
    </span>
  );
}
