import { useId } from 'preact/hooks';
import field from '../../parts/field.module.css';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import { visibleText } from '../../parts/visible-text.ts';
import type { IntegrationKind } from './integration-kind.ts';
import { type FieldErrors, fieldsOf, type IntegrationValues } from './integration-values.ts';

interface IntegrationFieldsProps {
  kind: IntegrationKind;
  values: IntegrationValues;
  errors: FieldErrors;
  /** Names of the credentials that the server stores. */
  stored?: readonly string[];
  change(name: string, value: string): void;
}

/** The fields of a kind of registration. The value of a stored credential is never shown. */
export function IntegrationFields({ kind, values, errors, stored = [], change }: IntegrationFieldsProps) {
  const secrets = new Set(kind.credentials.map(({ name }) => name));
  return (
    <>
      {fieldsOf(kind).map(({ name, label, hint, placeholder, numberRange, isRequired }) => (
        <Field
          key={name}
          label={label}
          hint={stored.includes(name) ? 'Stored. Enter a new one to replace it.' : hintText(hint, isRequired)}
          error={errors[name] ?? null}
          placeholder={placeholder}
          isNumber={numberRange !== undefined}
          type={secrets.has(name) ? 'password' : 'text'}
          value={values[name] ?? ''}
          autocomplete={secrets.has(name) ? 'new-password' : 'off'}
          onChange={(text) => change(name, text)}
        />
      ))}
    </>
  );
}

function hintText(hint: string | undefined, isRequired: boolean | undefined): string | undefined {
  if (isRequired) return hint;
  return hint === undefined ? 'Optional.' : `Optional. ${hint}`;
}

interface ParentSelectProps {
  parent: NonNullable<IntegrationKind['parent']>;
  options: readonly { registration_id: string; name: string }[];
  value: string;
  error: string | undefined;
  change(registrationId: string): void;
}

/** Selects the parent of a new registration. */
export function ParentSelect({ parent, options, value, error, change }: ParentSelectProps) {
  const id = useId();
  return (
    <div class={form.select}>
      <label for={id}>{parent.label}</label>
      {!parent.isRequired && (
        <p id={`${id}-hint`} class={field.hint}>
          Optional.
        </p>
      )}
      <select
        id={id}
        {...(error ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {})}
        {...(parent.isRequired ? {} : { 'aria-describedby': `${id}-hint` })}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        <option value="">{parent.isRequired ? 'Choose one' : 'none'}</option>
        {options.map(({ registration_id, name }) => (
          <option key={registration_id} value={registration_id}>
            {visibleText(name)}
          </option>
        ))}
      </select>
      {error && (
        <p id={`${id}-error`} class={field.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
