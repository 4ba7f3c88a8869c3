import { FACETS } from '../../features/traces/trace-facets.ts';
import { traceFacetsOperation } from '../../features/traces/trace-list.operations.ts';
import type { CommandContext } from '../context.ts';
import { count, counted } from '../views/amounts.ts';
import { table } from '../views/table.ts';
import { type TraceFilterFlags, traceFilterInput } from './trace-filter-flags.ts';

export interface TraceFacetFlags extends TraceFilterFlags {
  top: number;
}

export async function showFacets(context: CommandContext, { top, ...flags }: TraceFacetFlags): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const input = { tenant_id: await store.tenantId(), ...traceFilterInput(flags), top };
  const answer = await store.call(traceFacetsOperation, input);
  if (options.isJson) return print.json(answer);
  const named = FACETS.filter((facet) => answer.facets[facet].values.length > 0);
  if (named.length === 0) return print.note('No traces found.');
  const tables = named.map((facet) => {
    const { values, others } = answer.facets[facet];
    const rows = table(
      values,
      [
        { title: facet, text: ({ label }) => label, limit: 60 },
        { title: 'traces', text: (value) => count(value.count), align: 'right' },
      ],
      style,
    );
    return others > 0 ? `${rows}… and ${counted(others, 'more value')}\n` : rows;
  });
  print.data(tables.join('\n'));
  if (!answer.is_complete) print.note('Only the newest 50,000 traces were counted.');
}
