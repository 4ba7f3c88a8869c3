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
  EXECUTORS,
  type Executor,
  type FieldValues,
  isExecutable,
  type OwnChange,
  type PlanRequest,
  targetOf,
} from './executors.ts';
import style from './healing.module.css';
import { HEALING_PREFIX } from './healing-queries.ts';
import { OwnChangeFields } from './own-change-fields.tsx';
import { BY_HAND } from './plan-actions.ts';

const [BY_HAND_EXECUTOR, ...OTHER_EXECUTORS] = EXECUTORS as readonly [Executor, ...Executor[]];

interface PlanFormProps {
  detection: Detection;
  fix: Fix | undefined;
}

/** The form that plans a fix. Planning changes nothing. */
export function PlanForm({ detection, fix }: PlanFormProps) {
  const executor = useSignal(BY_HAND_EXECUTOR);
  const values = useSignal<FieldValues>({});
  const isByHand = executor.value.name === BY_HAND;
  const canUseFix = fix !== undefined && (isByHand || isExecutable(fix.changes));
  const prefersOwnChange = useSignal(false);
  const ownChange = useSignal<OwnChange>({ format: 'text', before: '', after: '' });
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const isOwn = prefersOwnChange.value || !canUseFix;

  async function plan() {
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = undefined;
    const body: PlanRequest = {
      detection_id: detection.detection_id,
      ...(fix ? { fix_id: fix.fix_id } : {}),
      executor: executor.value.name,
      target: targetOf(executor.value, values.value),
      ...(isOwn ? { changes: [ownChangeOf(ownChange.value, isByHand)] } : {}),
    };
    try {
      const { operation_id, status } = await server.healing.create({ tenant_id: tenantId.value!, body });
      void queries.invalidate(HEALING_PREFIX);
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
        <legend>How will it be applied?</legend>
        {fix !== undefined && !isExecutable(fix.changes) && (
          <p class={style.none}>
            This fix is a proposal, not an exact change. You can apply it by hand; for each other way, write the exact
            change below.
          </p>
        )}
        <ExecutorOption executor={BY_HAND_EXECUTOR} selected={executor} values={values} />
        <details class={style.others}>
          <summary>Other ways: in a file, at a URL, in Misstep, n8n or LangGraph</summary>
          <div>
            {OTHER_EXECUTORS.map((option) => (
              <ExecutorOption key={option.name} executor={option} selected={executor} values={values} />
            ))}
          </div>
        </details>
      </fieldset>
      <fieldset>
        <legend>What will change?</legend>
        {canUseFix ? (
          <>
            <Option
              label="The changes of the fix, as shown above"
              isSelected={!isOwn}
              onSelect={() => set(prefersOwnChange, false)}
            />
            <Option label="A custom change" isSelected={isOwn} onSelect={() => set(prefersOwnChange, true)} />
          </>
        ) : (
          <p class={style.none}>{fix ? 'Write the exact change for this target.' : 'Write the change.'}</p>
        )}
        {isOwn && <OwnChangeFields change={ownChange} isByHand={isByHand} />}
      </fieldset>
      {failure.value !== undefined && <ErrorNotice title="The fix could not be planned" error={failure.value} />}
      <div class={style.submit}>
        <Button type="submit" variant="primary" aria-disabled={isBusy.value}>
          Create plan
        </Button>
        <p class={style.none}>Nothing is changed before the plan is approved.</p>
      </div>
    </form>
  );
}

/** A manual change does not need the replaced passage. */
function ownChangeOf({ format, before, after }: OwnChange, isByHand: boolean): OwnChange {
  return { format, after, ...(format === 'text' && !(isByHand && before === '') ? { before: before ?? '' } : {}) };
}

interface ExecutorOptionProps {
  executor: Executor;
  selected: Signal<Executor>;
  values: Signal<FieldValues>;
}

function ExecutorOption({ executor, selected, values }: ExecutorOptionProps) {
  const isSelected = selected.value.name === executor.name;
  const setValue = (name: string) => (value: string) => set(values, { ...values.value, [name]: value });
  return (
    <>
      <Option
        group="executor"
        label={executor.label}
        hint={executor.hint}
        isSelected={isSelected}
        onSelect={() => set(selected, executor)}
      />
      {isSelected && executor.fields.length > 0 && (
        <div class={style.inner}>
          {executor.fields.map(({ name, label, hint, isSecret, options }) =>
            options ? (
              <label key={name} class={style.area}>
                {label}
                <select
                  value={values.value[name] ?? options[0]}
                  onChange={(event) => setValue(name)(event.currentTarget.value)}
                >
                  {options.map((option) => (
                    <option key={option}>{option}</option>
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
                onChange={setValue(name)}
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
  isSelected: boolean;
  onSelect(): void;
}

function Option({ group = 'changes', label, hint, isSelected, onSelect }: OptionProps) {
  return (
    <label class={style.option}>
      <input type="radio" name={group} checked={isSelected} onChange={onSelect} />
      <span>{label}</span>
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}
