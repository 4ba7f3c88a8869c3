import { canonicalJson, type Json, type JsonObject } from '../../core/json.ts';
import { JsonText } from '../../core/json-text.ts';
import { storageFailureOf } from '../../store/storage-failure.ts';
import type { Caller } from '../_kit/caller.ts';
import { callerName } from '../_kit/caller-name.ts';
import type { AnyOperation } from '../_kit/operation.ts';
import { operations } from '../operations.ts';
import type { Services } from '../services.ts';
import { digestOf, digestOfChunks } from './audit-details.ts';

/** The caller. */
export interface CallerContext {
  caller: Caller;
  /** Null if the request did not come over the network. */
  requestId: string | null;
  signal?: AbortSignal;
}

/** Every operation runs through this function, so that every change is in the audit log. */
export async function runOperation(
  services: Services,
  operation: AnyOperation,
  input: object,
  { caller, requestId, signal }: CallerContext,
): Promise<unknown> {
  const once = () => operation.run(services, input, caller, { signal }) as Promise<unknown>;
  const run = operation.method === 'DELETE' ? () => retryIfFull(once) : once;
  if (!isLogged(operation)) return run();
  const params = paramsOf(operation, input);
  return services.audit.during(
    {
      tenantNo: await tenantNoFor(services, operation, params, caller),
      actor: actorOf(caller),
      action: operation.id,
      fields: fieldsOf(operation, input),
      requestId,
      readDigest: () => digestOfResource(services, operation, params, caller),
      objectOf: (result) => objectIn(params) ?? idIn(result) ?? (isTenantItself(operation) ? params.tenant_id! : null),
    },
    run,
  );
}

/** A full disk releases the reserve (StorageGuard), which makes room for a deletion. Deletions can be repeated. */
async function retryIfFull(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (storageFailureOf(error)?.kind !== 'full') throw error;
    return run();
  }
}

/** Ingest and reads are not logged. */
export function isLogged({ method, access }: AnyOperation): boolean {
  if (method === 'GET' || access.kind === 'public') return false;
  return access.kind !== 'tenant' || access.scope === 'write' || access.scope === 'admin';
}

function actorOf(caller: Caller): string {
  return callerName(caller) ?? (caller.tenantId === null ? 'guest' : 'token');
}

function namesOf(shape: AnyOperation['params'] | AnyOperation['query']): string[] {
  return Object.keys((shape?.shape as object | undefined) ?? {});
}

function paramsOf(operation: AnyOperation, input: object): Record<string, string> {
  const names = namesOf(operation.params);
  return Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)));
}

/** Names only: values may be secret or personal. */
function fieldsOf(operation: AnyOperation, input: object): string[] {
  const names = namesOf(operation.params);
  return Object.entries(input)
    .filter(([name, value]) => value !== undefined && !names.includes(name))
    .map(([name]) => name)
    .sort();
}

/** Deleting a tenant deletes its log too: the entry is stored with the instance. */
async function tenantNoFor(
  services: Services,
  operation: AnyOperation,
  params: Record<string, string>,
  caller: Caller,
): Promise<number | null> {
  const tenantId = params.tenant_id ?? caller.tenantId;
  return tenantId === null || isTenantItself(operation) ? null : services.tenants.resolve(tenantId);
}

function isTenantItself({ method, path }: AnyOperation): boolean {
  return method === 'DELETE' && path === '/tenants/{tenant_id}';
}

/** The GET of the same path returns what an operation replaces or removes, if that is a single resource. */
function readOperationOf({ method, path }: AnyOperation): AnyOperation | undefined {
  if (method !== 'PUT' && method !== 'DELETE') return undefined;
  return operations.find(
    (other) => other.method === 'GET' && other.path === path && !namesOf(other.query).includes('page'),
  );
}

async function digestOfResource(
  services: Services,
  operation: AnyOperation,
  params: Record<string, string>,
  caller: Caller,
): Promise<string | null> {
  const read = readOperationOf(operation);
  if (read === undefined) return null;
  try {
    const query = (read.query?.parse({}) ?? {}) as object;
    const state = (await read.run(services, { ...query, ...params }, caller)) as Json | JsonText;
    if (state instanceof JsonText) return await digestOfChunks(state);
    return digestOf(canonicalJson(JSON.parse(JSON.stringify(state)) as JsonObject));
  } catch {
    return null;
  }
}

/** Ids in the path after the tenant's; the tenant's own if it is the only one and is changed. */
function objectIn({ tenant_id: _, ...rest }: Record<string, string>): string | null {
  return Object.values(rest).join('/') || null;
}

function idIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null;
  const ids = Object.entries(result).filter(([name, value]) => name.endsWith('_id') && typeof value === 'string');
  return (ids.find(([name]) => name !== 'tenant_id') ?? ids[0])?.[1] ?? null;
}
