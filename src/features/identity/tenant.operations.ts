import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { displayName } from './display-name.ts';
import { secretText } from './secret-text.ts';

const tenantRecord = z
  .object({
    tenant_id: z.string().describe('`ten_…`'),
    name: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Tenant' });

export const createTenantOperation = defineOperation({
  id: 'tenants.create',
  method: 'POST',
  path: '/auth/tenants',
  summary: 'Register a tenant; its first API key is returned only once',
  access: { kind: 'registration' },
  body: z.strictObject({ name: displayName }),
  bodyLimit: 'credentials',
  output: tenantRecord.extend({ api_key: secretText('Shown once; holds all scopes') }).meta({ id: 'CreatedTenant' }),
  status: 201,
  run: (services, { name }, { isFirstRun }) => services.tenants.create({ name, isFirstRun }),
});

export const listTenantsOperation = defineOperation({
  id: 'tenants.list',
  method: 'GET',
  path: '/tenants',
  summary: 'List tenants, oldest first',
  access: { kind: 'operator' },
  query: pageQuery,
  output: pageOf(tenantRecord),
  status: 200,
  run: (services, query) => services.tenants.list(toPageRequest(query)),
});

export const getTenantOperation = defineOperation({
  id: 'tenants.get',
  method: 'GET',
  path: '/tenants/{tenant_id}',
  summary: 'Show a tenant',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  output: tenantRecord,
  status: 200,
  run: (services, { tenant_id }) => services.tenants.get(tenant_id),
});

export const deleteTenantOperation = defineOperation({
  id: 'tenants.delete',
  method: 'DELETE',
  path: '/tenants/{tenant_id}',
  summary: 'Delete a tenant and all its data',
  access: { kind: 'operator' },
  params: tenantParams,
  output: z.null(),
  status: 204,
  async run(services, { tenant_id }) {
    await services.tenants.delete(tenant_id);
    return null;
  },
});

export const tenantOperations = [
  createTenantOperation,
  listTenantsOperation,
  getTenantOperation,
  deleteTenantOperation,
];
