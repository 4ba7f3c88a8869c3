import { type Signal, useSignal } from '@preact/signals';
import type { Detection, Fix } from '../../../client/misstep-client.generated.ts';
import { addressOf, navigate } from '../../address/router.ts';
import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { showToast } from '../../parts/toasts.tsx';
import {
  EXECUTOR_CHOICES,
  type ExecutorChoice,
  type FieldValues,
  isExecutable,
  type OwnChange,
  type PlanRequest,
  targetOf,
} from './executor-fields.ts';
import style from './healing.module.css';
import { HEALING } from './healing-queries.ts';
import { OwnChangeFields } from './own-change-fields.tsx';
import { BY_HAND } from './plan-actions.ts';

interface PlanFormProps {
  detection: Detection;
  fix: Fix | undefined;
}

/** How a fix is carried out. Planning changes nothing. */
export function PlanForm({ detection, fix }: PlanFormProps) {
  const executor = useSignal(EXECUTOR_CHOICES[0] as ExecutorChoice);
  const values = useSignal<FieldValues>({});
  const isByHand = executor.value.name === BY_HAND;
  const canUseFix = fix !== undefined && (isByHand || isExecutable(fix.changes));
  const wantsOwn = useSignal(false);
  const own = useSignal<OwnChange>({ format: 'text', before: '', after: '' });
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const isOwn = wantsOwn.value || !canUseFix;

  async function plan() {
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = undefined;
    const body: PlanRequest = {
      detection_id: detection.detection_id,
      ...(fix ? { fix_id: fix.fix_id } : {}),
      executor: executor.value.name,
      target: targetOf(executor.value, values.value),
      ...(isOwn ? { changes: [ownChangeOf(own.value, isByHand)] } : {}),
    };
    try {
      const { operation_id, status } = await server.healing.create({ tenant_id: tenantId.value!, body });
      void queries.invalidate(HEALING);
      if (status === 'pending_approval') showToast('Planned. Nothing is changed before a person approves it.');
      navigate(addressOf('plan', { op: operation_id }), { replace: true });
    } catch (error) {
      failure.value = error;
    }
    isBusy.value = false;
  }

  return (
    <form
      class={style.form}
      onSubmit={(event) => {
        event.preventDefault();
        void plan();
      }}
    >
      <fieldset>
        <legend>How is it carried out?</legend>
        {EXECUTOR_CHOICES.map((choice) => (
          <ExecutorOption key={choice.name} choice={choice} chosen={executor} values={values} />
        ))}
      </fieldset>
      <fieldset>
        <legend>What is changed?</legend>
        {canUseFix ? (
          <>
            <Option
              label="The changes of the fix, as shown above"
              isChosen={!isOwn}
              choose={() => set(wantsOwn, false)}
            />
            <Option label="A change of my own" isChosen={isOwn} choose={() => set(wantsOwn, true)} />
          </>
        ) : (
          <p class={style.none}>
            {fix
              ? 'This fix gives advice in words. Write the exact change that it means for this target.'
              : 'Write the change.'}
          </p>
        )}
        {isOwn && <OwnChangeFields change={own} isByHand={isByHand} />}
      </fieldset>
      {failure.value !== undefined && <ErrorNotice title="The fix could not be planned" error={failure.value} />}
      <div class={style.choices}>
        <Button type="submit" look="primary" aria-disabled={isBusy.value}>
          Plan this fix
        </Button>
      </div>
      <p class={style.none}>
        Planning reads the target and shows the exact change. A person approves it, unless the healing policy of this
        tenant allows fixes of this kind without approval.
      </p>
    </form>
  );
}

/** By hand, there is no passage to find. */
function ownChangeOf({ format, before, after }: OwnChange, isByHand: boolean): OwnChange {
  return { format, after, ...(format === 'text' && !(isByHand && before === '') ? { before: before ?? '' } : {}) };
}

interface ExecutorOptionProps {
  choice: ExecutorChoice;
  chosen: Signal<ExecutorChoice>;
  values: Signal<FieldValues>;
}

function ExecutorOption({ choice, chosen, values }: ExecutorOptionProps) {
  const isChosen = chosen.value.name === choice.name;
  const write = (name: string) => (value: string) => set(values, { ...values.value, [name]: value });
  return (
    <>
      <Option
        group="executor"
        label={choice.label}
        hint={choice.hint}
        isChosen={isChosen}
        choose={() => set(chosen, choice)}
      />
      {isChosen && choice.fields.length > 0 && (
        <div class={style.inner}>
          {choice.fields.map(({ name, label, hint, isSecret, choices }) =>
            choices ? (
              <label key={name} class={style.area}>
                {label}
                <select
                  value={values.value[name] ?? choices[0]}
                  onChange={(event) => write(name)(event.currentTarget.value)}
                >
                  {choices.map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </select>
              </label>
            ) : (
              <Field
                key={name}
                label={label}
                {...(hint === undefined ? {} : { hint })}
                type={isSecret ? 'password' : 'text'}
                autocomplete="off"
                value={values.value[name] ?? ''}
                onChange={write(name)}
              />
            ),
          )}
        </div>
      )}
    </>
  );
}

interface OptionProps {
  /** Name of the radio group. */
  group?: string;
  label: string;
  hint?: string;
  isChosen: boolean;
  choose(): void;
}

function Option({ group = 'changes', label, hint, isChosen, choose }: OptionProps) {
  return (
    <label class={style.option}>
      <input type="radio" name={group} checked={isChosen} onChange={choose} />
      <span>{label}</span>
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}
