import { useSignalEffect } from '@preact/signals';
import { addressOf, navigate } from '../address/router.ts';
import { useQuery } from '../data/queries.ts';
import { server } from '../data/server.ts';
import { tenantId } from '../data/session.ts';

/** Redirects `/` to the issues, or to the set-up view if there is no tenant or no trace. */
export function HomeView() {
  const tenant = tenantId.value;
  const traces = useQuery(tenant === null ? null : `traces/any/${tenant}`, (signal) =>
    server.traces.list({ tenant_id: tenant!, page_size: 1 }, { signal }),
  );
  useSignalEffect(() => {
    const { value, error } = traces.value;
    const isEmpty = tenantId.value === null || value?.items.length === 0;
    if (isEmpty) navigate(addressOf('start'), { replace: true });
    else if (value || error) navigate(addressOf('issues'), { replace: true });
  });
  return null;
}
