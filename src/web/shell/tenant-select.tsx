import { useQuery } from '../data/queries.ts';
import { server } from '../data/server.ts';
import { selectTenant, session, tenantId } from '../data/session.ts';
import style from './tenant-select.module.css';

/** The tenant of the session; an operator can select any tenant. */
export function TenantSelect() {
  const isOperator = session.value?.is_operator === true;
  const tenants = useQuery(isOperator ? 'tenants' : null, (signal) =>
    server.tenants.list({ page_size: 200 }, { signal }),
  );
  if (!isOperator) {
    return (
      <p class={style.tenant} dir="auto">
        {session.value?.tenant?.name}
      </p>
    );
  }
  const items = tenants.value.value?.items ?? [];
  if (items.length === 0) return null;
  return (
    <select
      class={style.choice}
      aria-label="Tenant"
      value={tenantId.value ?? ''}
      onChange={({ currentTarget }) => selectTenant(currentTarget.value || null)}
    >
      {tenantId.value === null && <option value="">Choose a tenant</option>}
      {items.map(({ tenant_id, name }) => (
        <option key={tenant_id} value={tenant_id}>
          {name}
        </option>
      ))}
    </select>
  );
}
