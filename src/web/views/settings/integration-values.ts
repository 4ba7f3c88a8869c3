import { count } from '../../parts/amounts.ts';
import type { IntegrationField, IntegrationKind } from './integration-kind.ts';

/** The text of each field by name, including `name`, `url` and the member of the parent. */
export type IntegrationValues = Readonly<Record<string, string>>;

/** The fields of a kind in the order of the form. */
export function fieldsOf(kind: IntegrationKind): IntegrationField[] {
  const url: IntegrationField = {
    name: 'url',
    label: 'URL',
    hint: 'Where Misstep reaches the platform.',
    ...(kind.urlExample === undefined ? {} : { placeholder: kind.urlExample }),
    isRequired: kind.url === 'required',
  };
  return [
    { name: 'name', label: 'Name', isRequired: true },
    ...(kind.url === 'none' ? [] : [url]),
    ...kind.details,
    ...kind.credentials,
  ];
}

/** Why a form cannot be sent: the error of each invalid field by its name. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The errors of all fields and of the parent; empty if the form can be sent. */
export function fieldErrors(kind: IntegrationKind, values: IntegrationValues): FieldErrors {
  const errors = fieldsOf(kind).flatMap((field): [string, string][] => {
    const error = fieldError(field, (values[field.name] ?? '').trim());
    return error === null ? [] : [[field.name, error]];
  });
  const { parent } = kind;
  if (parent?.isRequired && (values[parent.member] ?? '') === '') errors.push([parent.member, 'Choose one.']);
  return Object.fromEntries(errors);
}

function fieldError({ name, isRequired, numberRange }: IntegrationField, text: string): string | null {
  if (text === '') return isRequired ? 'This field is required.' : null;
  if (name === 'url' && !(/^https?:\/\//i.test(text) && URL.canParse(text)))
    return 'Enter an address that begins with http:// or https://.';
  if (numberRange === undefined) return null;
  const [min, max] = numberRange;
  const isValid = Number.isInteger(Number(text)) && Number(text) >= min && Number(text) <= max;
  return isValid ? null : `Enter a whole number from ${count(min)} to ${count(max)}.`;
}

/** The request body of a new registration. Empty fields are omitted. */
export function newBody(kind: IntegrationKind, values: IntegrationValues): Record<string, unknown> {
  const names = [...fieldsOf(kind), ...(kind.parent ? [{ name: kind.parent.member }] : [])];
  return Object.fromEntries(
    names.flatMap((field) => {
      const value = fieldValue(field, values);
      return value === null ? [] : [[field.name, value]];
    }),
  );
}

/**
 * The request body of a change: the fields that differ. An empty credential field changes nothing.
 * `removedCredentials` names the credentials to delete.
 */
export function changeBody(
  kind: IntegrationKind,
  saved: IntegrationValues,
  values: IntegrationValues,
  removedCredentials: ReadonlySet<string>,
): Record<string, unknown> {
  const secrets = new Set(kind.credentials.map(({ name }) => name));
  const changed = fieldsOf(kind).flatMap((field): [string, unknown][] => {
    const { name } = field;
    const value = fieldValue(field, values);
    if (secrets.has(name)) return removedCredentials.has(name) ? [[name, null]] : value === null ? [] : [[name, value]];
    return (saved[name] ?? '') === (values[name] ?? '').trim() ? [] : [[name, value]];
  });
  return Object.fromEntries(changed);
}

/** Null for an empty field. An invalid number is sent as text, so that the error of the server names the field. */
function fieldValue({ name, numberRange }: Pick<IntegrationField, 'name' | 'numberRange'>, values: IntegrationValues) {
  const text = (values[name] ?? '').trim();
  if (text === '') return null;
  return numberRange && Number.isFinite(Number(text)) ? Number(text) : text;
}
