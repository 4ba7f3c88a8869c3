import type { TraceSummary } from '../../client/misstep-client.generated.ts';
import { useQuery } from './queries.ts';
import { server } from './server.ts';
import { tenantId } from './session.ts';

/** Name, task and time of stored traces by their ids, at most 50; without those of deleted traces. Empty until they are loaded. */
export function useTraceSummaries(ids: readonly string[]): ReadonlyMap<string, TraceSummary> {
  const tenant_id = tenantId.value;
  const list = [...new Set(ids)].sort().join(',');
  const traces = useQuery(tenant_id === null || list === '' ? null : `traces/${tenant_id}/named/${list}`, (signal) =>
    server.traces.list({ tenant_id: tenant_id!, ids: list, page_size: 50 }, { signal }),
  );
  return new Map(traces.value.value?.items.map((trace) => [trace.trace_id, trace]));
}
