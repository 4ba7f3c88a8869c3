import { AppError } from '../core/app-error.ts';
import type { TenantService } from '../features/identity/tenant.service.ts';

export const DEFAULT_TENANT_NAME = 'local';
const PAGE = { page: 1, pageSize: 200, cursor: null };

/** The tenant with this id or name; without a name the one called `local`, created at first use. @throws AppError `not_found` */
export async function localTenantId(tenants: TenantService, named: string | null): Promise<string> {
  if (named !== null) return (await byIdOrName(tenants, named)) ?? noSuchTenant(named);
  const existing = await byName(tenants, DEFAULT_TENANT_NAME);
  if (existing !== null) return existing;
  const created = await tenants.create({ name: DEFAULT_TENANT_NAME });
  // Another process may have created one at the same moment: both use the oldest.
  return (await byName(tenants, DEFAULT_TENANT_NAME)) ?? created.tenant_id;
}

async function byIdOrName(tenants: TenantService, named: string): Promise<string | null> {
  return (await tenants.resolve(named)) === null ? byName(tenants, named) : named;
}

async function byName(tenants: TenantService, name: string): Promise<string | null> {
  let page = { ...PAGE };
  while (true) {
    const found = await tenants.list(page);
    const match = found.items.find((tenant) => tenant.name === name);
    if (match) return match.tenant_id;
    if (!found.has_more) return null;
    page = { ...page, page: page.page + 1 };
  }
}

function noSuchTenant(named: string): never {
  throw new AppError('not_found', `There is no tenant ${JSON.stringify(named)}.`);
}
