import { traceGraphOperation } from '../../features/traces/trace.operations.ts';
import type { CommandContext } from '../context.ts';
import { count } from '../views/amounts.ts';
import { table } from '../views/table.ts';

export async function showGraph(context: CommandContext, traceId: string): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const graph = await store.call(traceGraphOperation, { tenant_id: await store.tenantId(), trace_id: traceId });
  if (options.isJson) return print.json(graph);
  if (graph.nodes.length === 0) return print.note('The trace names no agents and calls no tools.');
  const nameOf = new Map(graph.nodes.map(({ id, kind, name, members }) => [id, name ?? `${members} other ${kind}s`]));
  const nodes = table(
    graph.nodes,
    [
      { title: 'kind', text: ({ kind }) => kind },
      { title: 'name', text: ({ id }) => nameOf.get(id)!, limit: 60 },
      { title: 'steps', text: ({ steps }) => count(steps), align: 'right' },
      { title: 'errors', text: ({ errors }) => count(errors), align: 'right' },
      { title: 'tokens', text: ({ tokens }) => count(tokens), align: 'right' },
    ],
    style,
  );
  const edges = table(
    graph.edges,
    [
      { title: 'from', text: ({ from }) => nameOf.get(from)!, limit: 40 },
      { title: 'edge', text: ({ kind }) => kind },
      { title: 'to', text: ({ to }) => nameOf.get(to)!, limit: 40 },
      { title: 'count', text: (edge) => count(edge.count), align: 'right' },
      { title: 'errors', text: ({ errors }) => count(errors), align: 'right' },
    ],
    style,
  );
  print.data(graph.edges.length > 0 ? `${nodes}\n${edges}` : nodes);
  if (graph.note !== null) print.note(graph.note);
}
