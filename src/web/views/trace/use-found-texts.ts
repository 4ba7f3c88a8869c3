import { useEffect } from 'preact/hooks';
import type { TraceFind } from '../../../client/misstep-client.generated.ts';
import { isAborted } from '../../data/problem-text.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { withRetries } from '../../data/with-retries.ts';
import { showFailure } from '../../parts/toasts.tsx';
import type { TraceState } from './trace-state.ts';

const PART = 200;
/** Steps that are listed; a text that is in more of them finds little. */
const MAX_FOUND = 2_000;

/** Searches the texts of the steps on the server. */
export function useFoundTexts(traceId: string, state: TraceState): void {
  const { find } = state.address.value;
  useEffect(() => {
    state.foundSpans.value = null;
    if (find.trim() === '') return;
    const left = new AbortController();
    findAll(traceId, find, left.signal).then(
      (spans) => {
        state.foundSpans.value = spans;
      },
      (error: unknown) => {
        if (!isAborted(error)) showFailure('Texts not searched', error);
      },
    );
    return () => left.abort();
  }, [traceId, find]);
}

async function findAll(traceId: string, text: string, signal: AbortSignal): Promise<string[]> {
  const spans = new Set<string>();
  for (let from: number | null = 0; from !== null && spans.size < MAX_FOUND; ) {
    const request = { tenant_id: tenantId.value!, trace_id: traceId, text, from_step: from, count: PART };
    const part: TraceFind = await withRetries(() => server.traces.find(request, { signal }))(signal);
    for (const { span_id } of part.items) spans.add(span_id);
    from = part.next_step;
  }
  return [...spans];
}
