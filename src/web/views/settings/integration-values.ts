import type { IntegrationField, IntegrationKind } from './integration-kind.ts';

/** The text of each field by name, including `name`, `url` and the member of the parent. */
export type IntegrationValues = Readonly<Record<string, string>>;

/** The fields of a kind in the order of the form. */
export function fieldsOf(kind: IntegrationKind): IntegrationField[] {
  const url: IntegrationField = {
    name: 'url',
    label: 'URL',
    hint: 'Where this server reaches the platform.',
    isRequired: kind.url === 'required',
  };
  return [
    { name: 'name', label: 'Name', isRequired: true },
    ...(kind.url === 'none' ? [] : [url]),
    ...kind.details,
    ...kind.credentials,
  ];
}

/** Whether every required field has a value. */
export function isComplete(kind: IntegrationKind, values: IntegrationValues): boolean {
  const required = fieldsOf(kind).flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  if (kind.parent?.isRequired) required.push(kind.parent.member);
  return required.every((name) => (values[name] ?? '').trim() !== '');
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
function fieldValue({ name, isNumber }: Pick<IntegrationField, 'name' | 'isNumber'>, values: IntegrationValues) {
  const text = (values[name] ?? '').trim();
  if (text === '') return null;
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}
