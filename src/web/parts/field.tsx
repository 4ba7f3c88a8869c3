import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import style from './field.module.css';

interface FieldProps {
  label: string;
  hint?: ComponentChildren | undefined;
  error?: string | null;
  value: string;
  type?: 'text' | 'password';
  /** An example of a value. */
  placeholder?: string | undefined;
  /** A number gets a narrow input. */
  isNumber?: boolean | undefined;
  name?: string;
  autocomplete?: string;
  onChange(value: string): void;
}

/** A text field with a label, a hint and an error message. */
export function Field(props: FieldProps) {
  const {
    label,
    hint,
    error = null,
    value,
    type = 'text',
    placeholder,
    isNumber,
    name,
    autocomplete,
    onChange,
  } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={style.field}>
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class={style.hint}>
          {hint}
        </p>
      )}
      <input
        id={id}
        {...(described ? { 'aria-describedby': described } : {})}
        {...(error ? { 'aria-invalid': true } : {})}
        {...(isNumber ? { inputMode: 'numeric' as const, class: style.number } : {})}
        // Preact's types accept each input type, but not a union of two.
        type={type as 'text'}
        name={name}
        placeholder={placeholder}
        autocomplete={autocomplete}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {error && (
        <p id={`${id}-error`} class={style.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
