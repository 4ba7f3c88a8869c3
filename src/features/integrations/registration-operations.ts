import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { type AnyOperation, defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantOfCaller } from '../_kit/tenant-of-caller.ts';
import { displayName } from '../identity/display-name.ts';
import type { IntegrationSource, RegistrationKind } from './integration-source.ts';
import { createdRecord, kindRecord, toKindRecord } from './registration.record.ts';

export const description = z.string().max(2_000).nullable().optional();
export const address = z.string().max(2_000).describe('http:// or https://, without user name and password');
export const signed = z
  .boolean()
  .default(false)
  .describe('Its webhooks must carry X-SVC-Signature, X-SVC-Timestamp and X-SVC-Nonce');

/** The two operations that every kind of registration has: register and list. */
export function registrationOperations(source: IntegrationSource, kind: RegistrationKind): AnyOperation[] {
  const { integration } = source;
  const parent = source.kinds.find(({ name }) => name === kind.parent?.kind) ?? null;
  const path = `/${integration}/${kind.path}`;
  const record = kindRecord(kind, parent).meta({ id: shapeName(source, kind) });
  return [
    defineOperation({
      id: `${integration}.register-${kind.name}`,
      method: 'POST',
      path,
      summary: `Registers ${/^[aeio]/.test(kind.name) ? 'an' : 'a'} ${kind.name} of ${source.platform}${kind.hasWebhook ? '; the address and secret of its webhook are shown once' : ''}`,
      access: { kind: 'tenant', scope: 'write' },
      isOfCallersTenant: true,
      body: bodyOf(kind, parent),
      output: createdRecord(kind, record),
      status: 201,
      errorCodes: ['conflict'],
      run: async (services, input, caller) => {
        const parsed = toInput(input as JsonObject, kind, parent);
        const of = { integration, name: kind.name };
        const { row, webhook } = await services.registrations.create(tenantOfCaller(caller), of, parsed);
        return { ...toKindRecord(row, kind, parent), ...(webhook ? { webhook } : {}) };
      },
    }),
    defineOperation({
      id: `${integration}.list-${kind.path}`,
      method: 'GET',
      path,
      summary: `Registered ${kind.path} of ${source.platform}, newest first`,
      access: { kind: 'tenant', scope: 'read' },
      isOfCallersTenant: true,
      query: pageQuery,
      output: pageOf(record),
      status: 200,
      run: async (services, input, caller) => {
        const filter = { integration, kind: kind.name };
        const page = await services.registrations.list(tenantOfCaller(caller), filter, toPageRequest(input));
        return { ...page, items: page.items.map((row) => toKindRecord(row, kind, parent)) };
      },
    }),
  ];
}

/** `DifyApp`, `N8nWorkflow`. */
function shapeName({ platform }: IntegrationSource, { name }: RegistrationKind): string {
  return [platform, name].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function bodyOf(kind: RegistrationKind, parent: RegistrationKind | null) {
  const parentId = z.string().max(100).describe(`A registered ${parent?.name}`);
  return z.strictObject({
    name: displayName,
    description,
    ...(kind.url === 'none' ? {} : { url: kind.url === 'required' ? address : address.nullable().optional() }),
    ...(parent ? { [parent.idName]: kind.parent?.isRequired ? parentId : parentId.nullable().optional() } : {}),
    ...kind.details,
    ...kind.credentials,
    ...(kind.hasWebhook ? { signed } : {}),
  } as z.ZodRawShape);
}

function toInput(body: JsonObject, kind: RegistrationKind, parent: RegistrationKind | null) {
  const pick = (names: string[]) => Object.fromEntries(names.map((name) => [name, body[name] ?? null]));
  const given = Object.keys(kind.credentials).filter((name) => typeof body[name] === 'string');
  return {
    name: body.name as string,
    description: (body.description ?? null) as string | null,
    url: (body.url ?? null) as string | null,
    parentId: parent ? ((body[parent.idName] ?? null) as string | null) : null,
    details: pick(Object.keys(kind.details)) as JsonObject,
    credentials: Object.fromEntries(given.map((name) => [name, body[name] as string])),
    isSigned: body.signed === true,
  };
}

export function kindOperations(sources: readonly IntegrationSource[]): AnyOperation[] {
  return sources.flatMap((source) => source.kinds.flatMap((kind) => registrationOperations(source, kind)));
}
