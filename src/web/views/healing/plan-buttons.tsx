import { useSignal } from '@preact/signals';
import type { HealingOperation } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import style from './healing.module.css';
import { allowedActions, BY_HAND, type PlanAction } from './plan-actions.ts';
import { PlanChange } from './plan-changes.tsx';
import { planActionLabels } from './plan-labels.ts';
import { runPlanAction } from './run-plan-action.ts';

/** Buttons for the actions on a plan; none for a read-only key. */
export function PlanButtons({ plan }: { plan: HealingOperation }) {
  const isBusy = useSignal(false);
  const isConfirming = useSignal(false);
  const actions = hasScope('write') ? allowedActions(plan) : [];
  async function run(action: PlanAction) {
    if (isBusy.value) return;
    isBusy.value = true;
    await runPlanAction(plan, action);
    isBusy.value = false;
  }
  if (actions.length === 0) return null;
  return (
    <div class={style.choices}>
      {actions.map((action, index) => (
        <Button
          key={action}
          variant={index === 0 && action !== 'rollback' ? 'primary' : 'normal'}
          aria-disabled={isBusy.value}
          onClick={() => (action === 'rollback' ? set(isConfirming, true) : void run(action))}
        >
          {planActionLabels(action, plan.executor === BY_HAND).label}
          {action === 'rollback' ? '…' : ''}
        </Button>
      ))}
      {isConfirming.value && (
        <Dialog
          title={plan.executor === BY_HAND ? 'Undo this change by hand' : 'Roll back this plan'}
          close={() => set(isConfirming, false)}
        >
          <ConfirmRollback
            plan={plan}
            confirm={() => {
              isConfirming.value = false;
              void run('rollback');
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

/** Shows exactly what is restored, before the rollback starts. */
function ConfirmRollback({ plan, confirm }: { plan: HealingOperation; confirm(): void }) {
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
          caption="Lines that a rollback changes"
          change={{ format: 'unified-diff', before: null, after: rollback.inverse }}
        />
      )}
      <div class={style.choices}>
        <Button variant="primary" onClick={confirm}>
          {isByHand ? 'Start to undo' : 'Restore this content'}
        </Button>
      </div>
    </div>
  );
}
