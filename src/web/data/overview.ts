import { useQuery } from './queries.ts';
import { server } from './server.ts';
import { may, tenantId } from './session.ts';

/** Counts of the chosen tenant; undefined until they have arrived, and where the key may not read. */
export function useOverview() {
  const tenant_id = tenantId.value;
  const key = tenant_id !== null && may('read') ? `overview/${tenant_id}` : null;
  return useQuery(key, (signal) => server.overview.get({ tenant_id: tenant_id! }, { signal })).value.value;
}
