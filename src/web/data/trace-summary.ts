import type { TraceSummary } from '../../client/misstep-client.generated.ts';
import { useQuery } from './queries.ts';
import { server } from './server.ts';
import { tenantId } from './session.ts';

/** Name, task and time of a stored trace; undefined until they are loaded, and for a deleted trace. */
export function useTraceSummary(id: string): TraceSummary | undefined {
  const tenant_id = tenantId.value;
  const traces = useQuery(tenant_id === null ? null : `traces/${tenant_id}/named/${id}`, (signal) =>
    server.traces.list({ tenant_id: tenant_id!, q: id, page_size: 1 }, { signal }),
  );
  return traces.value.value?.items.find(({ trace_id }) => trace_id === id);
}
