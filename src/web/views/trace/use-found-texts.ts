import { useEffect } from 'preact/hooks';
import type { TraceFind } from '../../../client/misstep-client.generated.ts';
import { isAborted } from '../../data/problem-text.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { withRetries } from '../../data/with-retries.ts';
import { showFailure } from '../../parts/toasts.tsx';
import type { TraceState } from './trace-state.ts';

const PAGE_SIZE = 200;
/** Maximum number of steps in the search result. */
const MAX_FOUND = 2_000;

/** Searches the texts of steps on the server. */
export function useFoundTexts(traceId: string, state: TraceState): void {
  const { find } = state.address.value;
  useEffect(() => {
    state.foundSpans.value = null;
    if (find.trim() === '') return;
    const controller = new AbortController();
    findAll(traceId, find, controller.signal).then(
      (spans) => {
        state.foundSpans.value = spans;
      },
      (error: unknown) => {
        if (!isAborted(error)) showFailure('The search failed', error);
      },
    );
    return () => controller.abort();
  }, [traceId, find]);
}

async function findAll(traceId: string, text: string, signal: AbortSignal): Promise<string[]> {
  const spans = new Set<string>();
  for (let from: number | null = 0; from !== null && spans.size < MAX_FOUND; ) {
    const request = { tenant_id: tenantId.value!, trace_id: traceId, text, from_step: from, count: PAGE_SIZE };
    const page: TraceFind = await withRetries(() => server.traces.find(request, { signal }))(signal);
    for (const { span_id } of page.items) spans.add(span_id);
    from = page.next_step;
  }
  return [...spans];
}
