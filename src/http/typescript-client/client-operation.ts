import type { JsonObject } from '../../core/json.ts';
import { memberOf, typeOfSchema } from './type-of-schema.ts';

/** One method of the client. */
export interface ClientOperation {
  /** `traces` of `traces.list`. */
  group: string;
  /** `list` of `traces.list`; `get` if the id has no verb. */
  method: string;
  /** First part of its type names. */
  typeName: string;
  summary: string;
  /** `GET /api/v1/…`. */
  route: string;
  scope: string | null;
  inputType: string;
  isInputOptional: boolean;
  outputType: string;
  /** The arguments of its runtime call, as code. */
  call: string;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: JsonObject;
}

interface Described {
  operationId: string;
  summary: string;
  'x-scope'?: string;
  parameters?: JsonObject[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, { schema?: JsonObject }> };
  responses: Record<string, JsonObject>;
}

/** @param shared `components.parameters` of the description */
export function toClientOperation(
  httpMethod: string,
  path: string,
  operation: JsonObject,
  shared: Record<string, JsonObject>,
): ClientOperation {
  const described = operation as unknown as Described;
  const [group = '', verb = 'get'] = described.operationId.split('.');
  const parameters = (described.parameters ?? []).map((one) => resolve(one, shared));
  const members = parameters.filter(({ in: place }) => place !== 'header');
  const method = httpMethod.toUpperCase();
  const query = members.filter(({ in: place }) => place === 'query').map(({ name }) => name);
  const rawType = rawTypeOf(described);
  const call = { method, path, ...(query.length ? { query } : {}), ...(rawType ? { rawType } : {}) };
  return {
    group: camelCase(group),
    method: camelCase(verb),
    typeName: pascalCase(described.operationId),
    summary: described.summary,
    route: `${method} ${path}`,
    scope: described['x-scope'] ?? null,
    inputType: inputTypeOf(members, described),
    isInputOptional: !members.some(({ required }) => required) && described.requestBody?.required !== true,
    outputType: outputTypeOf(described),
    call: JSON.stringify(call),
  };
}

function resolve(parameter: JsonObject, shared: Record<string, JsonObject>): Parameter {
  const name = (parameter.$ref as string | undefined)?.split('/').at(-1);
  return (name === undefined ? parameter : shared[name]) as unknown as Parameter;
}

function inputTypeOf(parameters: Parameter[], { requestBody }: Described): string {
  const members = parameters.map(({ name, description, required, schema }) =>
    memberOf(name, description === undefined ? schema : { ...schema, description }, required, '  '),
  );
  if (requestBody) members.push(bodyMember(requestBody));
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('\n')}\n}`;
}

function bodyMember({ required, description, content }: NonNullable<Described['requestBody']>): string {
  const json = content['application/json'];
  const types = Object.keys(content).length > (json ? 1 : 0) ? ['RawBody'] : [];
  if (json) types.unshift(json.schema ? typeOfSchema(json.schema, '  ') : 'unknown');
  const doc = description === undefined ? '' : `  /** ${description} */\n`;
  return `${doc}  body${required === false ? '?' : ''}: ${types.includes('unknown') ? 'unknown' : types.join(' | ')};`;
}

/** The media type of a body that is sent unchanged; null if only JSON is accepted. */
function rawTypeOf({ requestBody }: Described): string | null {
  const others = Object.keys(requestBody?.content ?? {}).filter(
    (type) => !/^(application\/json|multipart\/)/.test(type),
  );
  return others.at(-1) ?? null;
}

/** How the runtime decodes the response: JSON to its value, text to a string, an empty one to `undefined`, others unchanged. */
function outputTypeOf({ responses }: Described): string {
  const [status, response] = Object.entries(responses).find(([one]) => one.startsWith('2'))!;
  const contents = Object.entries((response.content ?? {}) as Record<string, { schema?: JsonObject }>);
  const [type, content] = contents[0] ?? [];
  if (type === undefined || content === undefined) return status === '204' ? 'undefined' : 'unknown';
  if (type === 'application/json') return content.schema ? typeOfSchema(content.schema) : 'unknown';
  return type.startsWith('text/') && type !== 'text/event-stream' ? 'string' : 'Response';
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}

function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|[.-])(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}
