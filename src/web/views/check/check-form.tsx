import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import style from './check.module.css';
import type { Check } from './use-check.ts';

interface CheckFormProps {
  check: Check<unknown>;
  isEmpty: boolean;
  children: ComponentChildren;
}

/** The fields of a check, its submit button and its error. */
export function CheckForm({ check, isEmpty, children }: CheckFormProps) {
  const isDisabled = isEmpty || check.isRunning.value;
  return (
    <>
      <form
        class={style.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDisabled) void check.run();
        }}
      >
        {children}
        <div>
          <Button type="submit" variant="primary" aria-disabled={isDisabled}>
            {check.isRunning.value ? 'Checking…' : 'Check'}
          </Button>
        </div>
      </form>
      {check.error.value !== undefined && (
        <ErrorNotice title="The text could not be checked" error={check.error.value} retry={() => void check.run()} />
      )}
    </>
  );
}

interface TextAreaProps {
  label: string;
  text: Signal<string>;
  rows: number;
}

export function TextArea({ label, text, rows }: TextAreaProps) {
  return (
    <label class={style.field}>
      {label}
      <textarea
        rows={rows}
        spellcheck={false}
        dir="auto"
        value={text.value}
        onInput={({ currentTarget }) => set(text, currentTarget.value)}
      />
    </label>
  );
}

export function FillExample({ fill }: { fill(): void }) {
  return (
    <p>
      <button type="button" class={style.example} onClick={fill}>
        Fill in an example
      </button>
    </p>
  );
}
