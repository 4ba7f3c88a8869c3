import { useId } from 'preact/hooks';
import field from '../../parts/field.module.css';
import style from './settings-view.module.css';

interface SettingsFieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | null;
  value: string;
  type?: 'text' | 'password';
  /** An example of a value. */
  placeholder?: string | undefined;
  isNumber?: boolean | undefined;
  autocomplete?: string;
  onChange(value: string): void;
}

/** A text field as in `parts/field.tsx`, with an example of a value. A number gets a narrow field. */
export function SettingsField(props: SettingsFieldProps) {
  const { label, hint, error = null, value, type = 'text', placeholder, isNumber = false, autocomplete } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={field.field}>
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class={field.hint}>
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
        placeholder={placeholder}
        autocomplete={autocomplete}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => props.onChange(currentTarget.value)}
      />
      {error && (
        <p id={`${id}-error`} class={field.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
