import { useSignal } from '@preact/signals';
import type { HealingOperation } from '../../../client/misstep-client.generated.ts';
import { may } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import style from './healing.module.css';
import { PlanChange } from './plan-changes.tsx';
import { choose } from './plan-choice.ts';
import { BY_HAND, choicesOf, type PlanChoice } from './plan-choices.ts';
import { choiceWords } from './plan-words.ts';

/** What a person can do next with a plan; nothing for a key that only reads. */
export function PlanButtons({ plan }: { plan: HealingOperation }) {
  const isBusy = useSignal(false);
  const asks = useSignal(false);
  const choices = may('write') ? choicesOf(plan) : [];
  async function run(choice: PlanChoice) {
    if (isBusy.value) return;
    isBusy.value = true;
    await choose(plan, choice);
    isBusy.value = false;
  }
  if (choices.length === 0) return null;
  return (
    <div class={style.choices}>
      {choices.map((choice, at) => (
        <Button
          key={choice}
          look={at === 0 && choice !== 'rollback' ? 'primary' : 'normal'}
          aria-disabled={isBusy.value}
          onClick={() => (choice === 'rollback' ? set(asks, true) : void run(choice))}
        >
          {choiceWords(choice, plan.executor === BY_HAND).label}
          {choice === 'rollback' ? '…' : ''}
        </Button>
      ))}
      {asks.value && (
        <Dialog title="Roll back this plan" close={() => set(asks, false)}>
          <RollbackQuestion
            plan={plan}
            confirm={() => {
              asks.value = false;
              void run('rollback');
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

/** Says what exactly is restored, before it is. */
function RollbackQuestion({ plan, confirm }: { plan: HealingOperation; confirm(): void }) {
  const { executor, target_text, rollback } = plan;
  const isByHand = executor === BY_HAND;
  return (
    <div class={style.part}>
      {isByHand ? (
        <p>
          This change was made by hand, so Misstep restores nothing. Undo it at <bdi>{visibleText(target_text)}</bdi>,
          then record the outcome here.
        </p>
      ) : (
        <p>
          <bdi>{visibleText(target_text)}</bdi> gets exactly the content that it had before the change. If it was
          changed since, nothing is written, and the plan stays applied.
        </p>
      )}
      {rollback.inverse !== null && (
        <PlanChange
          name="Lines that a rollback changes"
          change={{ format: 'unified-diff', before: null, after: rollback.inverse }}
        />
      )}
      <div class={style.choices}>
        <Button look="primary" onClick={confirm}>
          {isByHand ? 'Start the rollback' : 'Restore this content'}
        </Button>
      </div>
    </div>
  );
}
