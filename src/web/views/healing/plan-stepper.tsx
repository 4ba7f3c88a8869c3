import type { HealingSummary } from '../../../client/misstep-client.generated.ts';
import { timeText } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './plan-stepper.module.css';
import { stagesOf } from './plan-steps.ts';

const MARKS = { done: '✓', now: '●', ahead: '', failed: '✕' } as const;
const SPOKEN = { done: 'done', now: 'current', ahead: 'not reached', failed: 'ended here' } as const;

/** How far a plan has come: each stage with its time, and who did it. */
export function PlanStepper({ plan }: { plan: HealingSummary }) {
  return (
    <ol class={style.stages} aria-label="Progress">
      {stagesOf(plan).map(({ title, state, at, detail }) => (
        <li key={title} class={style[state]} {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}>
          <span class={style.mark} aria-hidden="true">
            {MARKS[state]}
          </span>
          <span class={style.title}>
            {title} <span class="visually-hidden">({SPOKEN[state]})</span>
          </span>
          {at !== null && (
            <time class={style.detail} dateTime={at}>
              {timeText(at)}
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
