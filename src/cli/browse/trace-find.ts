import { findInTraceOperation } from '../../features/traces/trace.operations.ts';
import type { CommandContext } from '../context.ts';
import { table } from '../views/table.ts';

export interface TraceFindFlags {
  limit: number;
  fromStep: number;
}

export async function findInTrace(
  context: CommandContext,
  traceId: string,
  text: string,
  { limit, fromStep }: TraceFindFlags,
): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const address = { tenant_id: await store.tenantId(), trace_id: traceId };
  const found = await store.call(findInTraceOperation, { ...address, text, from_step: fromStep, count: limit });
  if (options.isJson) return print.json(found);
  if (found.items.length === 0) print.note('Not found.');
  else
    print.data(
      table(
        found.items,
        [
          { title: 'step', text: ({ step }) => String(step), align: 'right' },
          { title: 'field', text: ({ field }) => field, limit: 40 },
          {
            title: 'text',
            text: ({ snippet: { before, match, after } }) => `${before.slice(-30)}${match}${after.slice(0, 60)}`,
          },
          { title: 'span', text: ({ span_id }) => span_id, limit: 40 },
        ],
        style,
      ),
    );
  if (found.next_step !== null)
    print.note(
      `Searched ${found.searched_steps} of ${found.total_steps} steps; next page: --from-step ${found.next_step}`,
    );
}
