import { AppError } from '../core/app-error.ts';
import type { TenantService } from '../features/identity/tenant.service.ts';
import { DEFAULT_TENANT_NAME, localTenantId } from './local-tenant.ts';

const LISTED = 20;

/**
 * The tenant of a read-only command: the named one, otherwise the only one with traces, otherwise the only one.
 * @throws AppError `not_found`, and `usage` if several are possible
 */
export async function readOnlyTenantId(tenants: TenantService, named: string | null): Promise<string> {
  if (named !== null) return localTenantId(tenants, named);
  const withTraces = await tenants.withTraces();
  const candidates = withTraces.length > 0 ? withTraces : await everyTenant(tenants);
  // Only in the empty store that replaces a missing one.
  if (candidates.length === 0) return localTenantId(tenants, null);
  const byDefault = withTraces.length > 0 ? [] : candidates.filter(({ name }) => name === DEFAULT_TENANT_NAME);
  const [only] = candidates.length === 1 ? candidates : byDefault;
  if (only !== undefined) return only.tenant_id;
  throw new AppError('usage', 'There are several tenants. Name one with --tenant:', {
    errors: candidates.slice(0, LISTED).map(({ tenant_id, name }) => ({ pointer: tenant_id, message: name })),
  });
}

async function everyTenant(tenants: TenantService) {
  return (await tenants.list({ page: 1, pageSize: 200, cursor: null })).items;
}
