import type { HealingSummary } from '../../../client/misstep-client.generated.ts';
import { useActorNames } from '../../data/actor-names.ts';
import { tenantId } from '../../data/session.ts';
import { OutcomeSinceThen } from '../../parts/fix-outcome.tsx';
import { zonedTimeText } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './plan-stepper.module.css';
import { stagesOf } from './plan-steps.ts';

const MARKS = { done: '✓', now: '●', ahead: '', failed: '✕', open: '–' } as const;
const SCREEN_READER_LABELS = {
  done: 'done',
  now: 'current',
  ahead: 'not reached',
  failed: 'ended here',
  open: 'not decided',
} as const;

/** The progress of a plan: each stage with its time and actor. */
export function PlanStepper({ plan }: { plan: HealingSummary }) {
  const { phraseOf } = useActorNames(tenantId.value);
  return (
    <ol class={style.stages} aria-label="Progress">
      {stagesOf(plan, phraseOf).map(({ title, state, at, detail, isEnd, outcome }) => (
        <li
          key={title}
          class={isEnd ? `${style.done} ${style.end}` : style[state]}
          {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}
        >
          <span class={style.mark} aria-hidden="true">
            {isEnd ? MARKS.done : MARKS[state]}
          </span>
          <span class={style.title}>
            {outcome === undefined ? title : <OutcomeSinceThen outcome={outcome} />}{' '}
            <span class="visually-hidden">({SCREEN_READER_LABELS[state]})</span>
          </span>
          {at !== null && (
            <time class={style.detail} dateTime={at}>
              {zonedTimeText(at)}
            </time>
          )}
          {detail !== null && (
            <span class={style.detail} dir="auto">
              {visibleText(detail)}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
