import type { JsonObject } from '../../src/core/json.ts';
import { operations } from '../../src/features/operations.ts';
import { toOpenApi } from '../../src/http/openapi.ts';

/** `credential`: any credential, whatever its scopes. */
export type DescribedAccess = 'public' | 'registration' | 'credential' | 'tenant' | 'operator';

/** One method and path of the interface description, with the properties that tests use. */
export interface DescribedRoute {
  id: string;
  /** In upper case. */
  method: string;
  /** As described, with its parameters such as `{tenant_id}`. */
  path: string;
  access: DescribedAccess;
  /** The scope a tenant's key needs; null if none does. */
  scope: string | null;
  /** Schemas of its parameters by name. */
  pathSchemas: Record<string, JsonObject>;
  querySchemas: Record<string, JsonObject>;
  requiredQuery: string[];
  /** Schema of the JSON body; null if it has none. */
  bodySchema: JsonObject | null;
  /** Media types of the body; empty if it has none. */
  bodyTypes: string[];
  responses: Record<string, JsonObject>;
  /** Whether the response is a stream that does not end by itself. */
  isStream: boolean;
}

export interface Description {
  openapi: string;
  paths: Record<string, Record<string, JsonObject>>;
  components: Record<'schemas' | 'responses' | 'parameters', Record<string, JsonObject>>;
}

export function describeInterface(): Description {
  return JSON.parse(JSON.stringify(toOpenApi(operations))) as Description;
}

/** All routes of the description, so that tests over them include new routes. */
export function describedRoutes(description: Description = describeInterface()): DescribedRoute[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, entry]) => toRoute(description, method.toUpperCase(), path, entry)),
  );
}

function toRoute(description: Description, method: string, path: string, operation: JsonObject): DescribedRoute {
  const parameters = ((operation.parameters ?? []) as JsonObject[]).map(
    (one) => resolve(description, one) as { name: string; in: string; required: boolean; schema: JsonObject },
  );
  const schemasIn = (place: string) =>
    Object.fromEntries(
      parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, resolve(description, schema)]),
    );
  const bodies =
    (operation.requestBody as { content: Record<string, { schema?: JsonObject }> } | undefined)?.content ?? {};
  const responses = Object.fromEntries(
    Object.entries(operation.responses as Record<string, JsonObject>).map(([status, response]) => [
      status,
      resolve(description, response),
    ]),
  );
  return {
    id: operation.operationId as string,
    method,
    path,
    access: accessOf(operation.security as Record<string, unknown>[]),
    scope: (operation['x-scope'] as string | undefined) ?? null,
    pathSchemas: schemasIn('path'),
    querySchemas: schemasIn('query'),
    requiredQuery: parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name),
    bodySchema: bodies['application/json']?.schema ? resolve(description, bodies['application/json'].schema) : null,
    bodyTypes: Object.keys(bodies),
    responses,
    isStream: JSON.stringify(responses).includes('text/event-stream'),
  };
}

/** Resolves a pointer into the components and merges the members next to the pointer; returns other values unchanged. */
function resolve(description: Description, value: JsonObject): JsonObject {
  const { $ref, ...result } = value;
  if (typeof $ref !== 'string') return value;
  const [, , group, name] = $ref.split('/') as [string, string, keyof Description['components'], string];
  return { ...resolve(description, description.components[group][name]!), ...result };
}

function accessOf(security: Record<string, unknown>[]): DescribedAccess {
  const names = security.flatMap((one) => Object.keys(one));
  if (names.includes('cookie')) return 'credential';
  if (names.includes('apiKey')) return 'tenant';
  if (names.includes('operator')) return security.length > 1 ? 'registration' : 'operator';
  return 'public';
}

/** `[id, route]` rows for `it.each`. */
export function named(routes: readonly DescribedRoute[]): [string, DescribedRoute][] {
  return routes.map((route) => [`${route.method} ${route.path}`, route]);
}

export function paramsOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

/** The path with its parameters filled in. @throws if a value is missing */
export function fillPath(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}} of ${path}`);
    return encodeURIComponent(value);
  });
}
