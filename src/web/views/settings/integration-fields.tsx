import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import { visibleText } from '../../parts/visible-text.ts';
import type { IntegrationKind } from './integration-kind.ts';
import { fieldsOf, type IntegrationValues } from './integration-values.ts';

interface IntegrationFieldsProps {
  kind: IntegrationKind;
  values: IntegrationValues;
  /** Names of the credentials that the server stores. */
  stored?: readonly string[];
  change(name: string, value: string): void;
}

/** The fields of a kind of registration. The value of a stored credential is never shown. */
export function IntegrationFields({ kind, values, stored = [], change }: IntegrationFieldsProps) {
  const secrets = new Set(kind.credentials.map(({ name }) => name));
  return (
    <>
      {fieldsOf(kind).map(({ name, label, hint }) => (
        <Field
          key={name}
          label={label}
          hint={stored.includes(name) ? 'Stored. Enter a new one to replace it.' : hint}
          type={secrets.has(name) ? 'password' : 'text'}
          value={values[name] ?? ''}
          autocomplete={secrets.has(name) ? 'new-password' : 'off'}
          onChange={(text) => change(name, text)}
        />
      ))}
    </>
  );
}

interface ParentSelectProps {
  parent: NonNullable<IntegrationKind['parent']>;
  options: readonly { registration_id: string; name: string }[];
  value: string;
  change(registrationId: string): void;
}

/** Selects the parent of a new registration. */
export function ParentSelect({ parent, options, value, change }: ParentSelectProps) {
  return (
    <label class={form.select}>
      {parent.label}
      <select value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        <option value="">{parent.isRequired ? 'Choose one' : 'none'}</option>
        {options.map(({ registration_id, name }) => (
          <option key={registration_id} value={registration_id}>
            {visibleText(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
