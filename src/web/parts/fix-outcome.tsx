import type { FixOutcome as Outcome } from '../../client/misstep-client.generated.ts';
import style from './fix-outcome.module.css';
import { fixOutcomeState, fixOutcomeText } from './fix-outcome-text.ts';

const MARKS = { open: '–', holds: '✓', recurred: '↺' } as const;

/** Whether a fix holds. */
export function FixOutcome({ outcome }: { outcome: Outcome }) {
  const state = fixOutcomeState(outcome);
  return (
    <span class={style[state]}>
      <span aria-hidden="true">{MARKS[state]}</span> {fixOutcomeText(outcome)}
    </span>
  );
}
