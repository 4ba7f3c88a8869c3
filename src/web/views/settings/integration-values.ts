import type { IntegrationField, IntegrationKind } from './integration-kind.ts';

/** The text of each field by its name; `name`, `url` and the member of the parent included. */
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

/** The request body of a new registration: empty fields are left out. */
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
 * The request body of a change: the fields that differ. An empty credential field changes nothing; `forgotten` names the
 * credentials to delete.
 */
export function changeBody(
  kind: IntegrationKind,
  before: IntegrationValues,
  values: IntegrationValues,
  forgotten: ReadonlySet<string>,
): Record<string, unknown> {
  const secrets = new Set(kind.credentials.map(({ name }) => name));
  const changed = fieldsOf(kind).flatMap((field): [string, unknown][] => {
    const { name } = field;
    const value = fieldValue(field, values);
    if (secrets.has(name)) return forgotten.has(name) ? [[name, null]] : value === null ? [] : [[name, value]];
    return (before[name] ?? '') === (values[name] ?? '').trim() ? [] : [[name, value]];
  });
  return Object.fromEntries(changed);
}

/** Null for an empty field. A number that cannot be read is sent as text, so that the server names the field. */
function fieldValue({ name, isNumber }: Pick<IntegrationField, 'name' | 'isNumber'>, values: IntegrationValues) {
  const text = (values[name] ?? '').trim();
  if (text === '') return null;
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}
