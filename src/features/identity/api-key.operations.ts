import { z } from 'zod';
import { SCOPES } from '../_kit/caller.ts';
import { defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { displayName } from './display-name.ts';
import { secretText } from './secret-text.ts';

const keyParams = tenantParams.extend({ key_id: z.string() });
const access = { kind: 'tenant', scope: 'admin' } as const;

const keyRecord = z
  .object({
    key_id: z.string().describe('`key_…`'),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().describe('To the minute'),
    revoked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' });
const createdKey = keyRecord.extend({ api_key: secretText('Shown once') }).meta({ id: 'CreatedApiKey' });

export const listApiKeysOperation = defineOperation({
  id: 'api-keys.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/api-keys',
  summary: 'List API keys, oldest first, without their secrets',
  access,
  params: tenantParams,
  query: pageQuery,
  output: pageOf(keyRecord),
  status: 200,
  run: (services, input) => services.apiKeys.list(input.tenant_id, toPageRequest(input)),
});

export const createApiKeyOperation = defineOperation({
  id: 'api-keys.create',
  method: 'POST',
  path: '/tenants/{tenant_id}/api-keys',
  summary: 'Create an API key; the key is returned only once',
  access,
  params: tenantParams,
  body: z.strictObject({
    name: displayName,
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope))),
    expires_at: z.iso.datetime({ offset: true }).nullish().describe('RFC 3339; if omitted, the key never expires'),
  }),
  output: createdKey,
  status: 201,
  errorCodes: ['quota_exceeded'],
  run: (services, { tenant_id, name, scopes, expires_at }) =>
    services.apiKeys.create(tenant_id, { name, scopes, expiresAt: expires_at ? Date.parse(expires_at) : null }),
});

export const revokeApiKeyOperation = defineOperation({
  id: 'api-keys.revoke',
  method: 'DELETE',
  path: '/tenants/{tenant_id}/api-keys/{key_id}',
  summary: 'Revoke an API key and its access tokens',
  access,
  params: keyParams,
  output: z.null(),
  status: 204,
  async run(services, { tenant_id, key_id }) {
    await services.apiKeys.revoke(tenant_id, key_id);
    return null;
  },
});

export const rotateApiKeyOperation = defineOperation({
  id: 'api-keys.rotate',
  method: 'POST',
  path: '/tenants/{tenant_id}/api-keys/{key_id}/rotate',
  summary: 'Rotate the secret of an API key; the new one is returned only once, the old one is revoked immediately',
  access,
  params: keyParams,
  output: createdKey,
  status: 201,
  run: (services, { tenant_id, key_id }) => services.apiKeys.rotate(tenant_id, key_id),
});

export const apiKeyOperations = [
  listApiKeysOperation,
  createApiKeyOperation,
  revokeApiKeyOperation,
  rotateApiKeyOperation,
];
