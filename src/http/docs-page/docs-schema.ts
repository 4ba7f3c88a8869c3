import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { type Html, html, prose } from './html.ts';

/** A schema as a short phrase, with links to named shapes: `list of Detection, or null`. */
export function shapeText(schema: JsonObject): Html {
  if (typeof schema.$ref === 'string') return shapeLink(schema.$ref.split('/').at(-1)!);
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (Array.isArray(schema.enum)) return joinWithOr(schema.enum.map((value) => html`<code>${String(value)}</code>`));
  const options = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined;
  if (options) return joinWithOr(options.map(shapeText));
  const types = [schema.type ?? 'any'].flat() as string[];
  return html`${joinWithOr(types.map((type) => kindText(type, schema)))}${limits(schema)}`;
}

export function shapeLink(name: string): Html {
  return html`<a href="#${name}">${name}</a>`;
}

function joinWithOr(some: Html[]): Html {
  return html`${some.map((one, index) => (index === 0 ? one : html` | ${one}`))}`;
}

function kindText(kind: string, schema: JsonObject): Html {
  if (kind === 'array') {
    if (Array.isArray(schema.prefixItems)) {
      return html`[${schema.prefixItems.map((one, at) => html`${at ? ', ' : ''}${shapeText(one as JsonObject)}`)}]`;
    }
    return isJsonObject(schema.items ?? null) ? html`list of ${shapeText(schema.items as JsonObject)}` : html`list`;
  }
  if (kind !== 'object') return html`${kind === 'any' ? 'any JSON' : ((schema.format as string) ?? kind)}`;
  const rest = schema.additionalProperties;
  return schema.properties === undefined && isJsonObject(rest ?? null)
    ? html`map to ${shapeText(rest as JsonObject)}`
    : html`object`;
}

function limits(schema: JsonObject): Html | null {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const texts = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    typeof pattern === 'string' ? `pattern ${pattern}` : '',
    schema.default === undefined || schema.default === null ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== '');
  return texts.length === 0 ? null : html` <small>${texts.join(', ')}</small>`;
}

function range(min: unknown, max: unknown, unit: string): string {
  if (min === undefined && max === undefined) return '';
  if (min === undefined) return `at most ${max}${unit}`;
  return max === undefined ? `at least ${min}${unit}` : `${min} to ${max}${unit}`;
}

/** Members of an object, with those of nested objects under their path; null if it has none. */
export function memberTable(schema: JsonObject, caption: string): Html | null {
  const rows = memberRows(schema, '');
  if (rows.length === 0) return null;
  return html`<table><caption>${caption}</caption><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function memberRows(schema: JsonObject, prefix: string): Html[] {
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    return [memberRow(path, member, required.includes(name)), ...innerRows(member, path)];
  });
}

/** Members of an object, list or map without a name. */
function innerRows(member: JsonObject, path: string): Html[] {
  const inner: [JsonObject, string][] = [
    [member, `${path}.`],
    ...(isJsonObject(member.items ?? null) ? [[member.items as JsonObject, `${path}[].`] as [JsonObject, string]] : []),
    ...(isJsonObject(member.additionalProperties ?? null)
      ? [[member.additionalProperties as JsonObject, `${path}.*.`] as [JsonObject, string]]
      : []),
    ...((member.anyOf ?? []) as JsonObject[]).map((option): [JsonObject, string] => [option, `${path}.`]),
  ];
  return inner.flatMap(([schema, prefix]) => memberRows(schema, prefix));
}

export function memberRow(name: string, schema: JsonObject, isRequired: boolean): Html {
  const descriptionHtml = typeof schema.description === 'string' ? prose(schema.description) : null;
  const mark = isRequired ? null : html` <small>optional</small>`;
  return html`<tr><th scope="row"><code>${name}</code>${mark}</th><td>${shapeText(schema)}</td><td>${descriptionHtml}</td></tr>`;
}
