import { useQuery } from './queries.ts';
import { server } from './server.ts';
import { hasScope, tenantId } from './session.ts';

/** Counts of the selected tenant; undefined until they are loaded, and without the scope `read`. */
export function useOverview() {
  const tenant_id = tenantId.value;
  const key = tenant_id !== null && hasScope('read') ? `overview/${tenant_id}` : null;
  return useQuery(key, (signal) => server.overview.get({ tenant_id: tenant_id! }, { signal })).value.value;
}
