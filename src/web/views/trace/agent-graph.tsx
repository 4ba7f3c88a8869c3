import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { TraceGraph } from '../../../client/misstep-client.generated.ts';
import { problemTextOf } from '../../data/problem-text.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { withRetries } from '../../data/with-retries.ts';
import { count, dollars, shortCount } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { KindGlyph } from '../../parts/kind-glyph.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { uncountedSteps } from '../../trace-model/graph-legend.ts';
import styles from './agent-graph.module.css';
import { GraphDrawing } from './graph-drawing.tsx';
import type { TraceAddress } from './trace-address.ts';
import type { TraceState } from './trace-state.ts';

interface AgentGraphProps {
  traceId: string;
  state: TraceState;
  go(change: Partial<TraceAddress>): void;
}

type Node = TraceGraph['nodes'][number];
type Edge = TraceGraph['edges'][number];

/** Calls between agents and tools with their counts, as a drawing and as tables with the most frequent connections first. */
export function AgentGraph({ traceId, state, go }: AgentGraphProps) {
  const query = useQuery<TraceGraph>(
    `trace:${traceId}:graph`,
    withRetries((signal) => server.traces.graph({ tenant_id: tenantId.value!, trace_id: traceId }, { signal })),
  );
  const { value, error } = query.value;
  if (error !== undefined) return <p class={styles.note}>{problemTextOf(error).text}</p>;
  if (value === undefined) return <p class={styles.note}>Loading the graph…</p>;
  if (value.nodes.length === 0) return <p class={styles.note}>This run names no agent, no tool and no graph node.</p>;
  const nodes = new Map(value.nodes.map((node) => [node.id, node]));
  const uncounted = uncountedSteps(value.nodes, state.columns.value.total);
  const show = (step: number | null) => step !== null && go({ spanId: state.spanOf(step) });
  return (
    <div class={styles.graph}>
      <GraphDrawing graph={value} show={show} />
      <h2>Connections</h2>
      <Edges edges={value.edges} nodes={nodes} show={show} />
      <h2>{value.nodes.some(({ kind }) => kind === 'node') ? 'Nodes and tools' : 'Agents and tools'}</h2>
      <Nodes nodes={value.nodes} show={show} />
      {uncounted !== null && <p class={styles.note}>{uncounted}</p>}
      {value.note !== null && <p class={styles.note}>{value.note}</p>}
    </div>
  );
}

const EDGE_LABELS = { call: 'calls', delegation: 'delegates to', handoff: 'hands off to' } as const;
/** Fewer rows are shown below a large drawing, to limit the size of the page. */
const INITIAL_ROWS = 30;
const INITIAL_ROWS_OF_LARGE_GRAPH = 10;
const LARGE_GRAPH_NODES = 60;

function initialRows(nodes: number): number {
  return nodes > LARGE_GRAPH_NODES ? INITIAL_ROWS_OF_LARGE_GRAPH : INITIAL_ROWS;
}

/** Nodes of a workflow run one after the other, without handoffs. */
function edgeLabel(edge: Edge, from: Node | undefined): string {
  return from?.kind === 'node' ? 'is followed by' : EDGE_LABELS[edge.kind];
}

interface ShowStepProps {
  show(step: number | null): void;
}

function Edges({ edges, nodes, show }: ShowStepProps & { edges: readonly Edge[]; nodes: ReadonlyMap<string, Node> }) {
  const rows = useSignal(initialRows(nodes.size));
  const maxCount = Math.max(...edges.map((edge) => edge.count), 1);
  if (edges.length === 0)
    return <p class={styles.note}>No agent or tool of this run called or followed another one.</p>;
  return (
    <Rows shown={rows} total={edges.length}>
      <table class={styles.table}>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Times</th>
            <th scope="col">Failed</th>
            <th scope="col">First</th>
          </tr>
        </thead>
        <tbody>
          {edges.slice(0, rows.value).map((edge) => (
            <tr key={`${edge.from} ${edge.kind} ${edge.to}`}>
              <th scope="row">
                <NodeName node={nodes.get(edge.from)} />
              </th>
              <td class={styles.to}>
                <span class={styles.how}>{edgeLabel(edge, nodes.get(edge.from))}</span>{' '}
                <NodeName node={nodes.get(edge.to)} />
              </td>
              <td class={styles.times} data-title="times">
                <span class={styles.bar} style={{ width: `${(edge.count / maxCount) * 100}%` }} />
                {count(edge.count)}
              </td>
              <td data-title="failed">
                <Failed times={edge.errors} />
              </td>
              <td data-title="first">
                <button type="button" class={styles.step} onClick={() => show(edge.first_step)}>
                  step {edge.first_step}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Rows>
  );
}

function Failed({ times }: { times: number }) {
  return times === 0 ? '0' : <strong class={styles.failed}>{count(times)}</strong>;
}

function Nodes({ nodes, show }: ShowStepProps & { nodes: readonly Node[] }) {
  const rows = useSignal(initialRows(nodes.length));
  return (
    <Rows shown={rows} total={nodes.length}>
      <table class={styles.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Steps</th>
            <th scope="col">Failed</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
            <th scope="col">First</th>
          </tr>
        </thead>
        <tbody>
          {nodes.slice(0, rows.value).map((node) => (
            <tr key={node.id}>
              <th scope="row">
                <NodeName node={node} />
              </th>
              <td data-title="steps">{count(node.steps)}</td>
              <td data-title="failed">
                <Failed times={node.errors} />
              </td>
              <td data-title="tokens">{shortCount(node.tokens)}</td>
              <td data-title="cost">{node.cost_usd === null ? '–' : dollars(node.cost_usd)}</td>
              <td data-title="first">
                {node.first_step === null ? (
                  'no steps'
                ) : (
                  <button type="button" class={styles.step} onClick={() => show(node.first_step)}>
                    step {node.first_step}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Rows>
  );
}

/** A table with a button to show more rows. */
function Rows({ shown, total, children }: { shown: Signal<number>; total: number; children: ComponentChildren }) {
  const remaining = total - shown.value;
  return (
    <>
      {children}
      {remaining > 0 && (
        <div>
          <Button onClick={() => set(shown, shown.peek() + INITIAL_ROWS)}>
            Show {count(Math.min(remaining, INITIAL_ROWS))} more of {count(total)}
          </Button>
        </div>
      )}
    </>
  );
}

function NodeName({ node }: { node: Node | undefined }) {
  if (node === undefined) return null;
  const name = node.name ?? `${count(node.members)} more ${node.kind}s`;
  return (
    <span class={styles.node}>
      {node.kind !== 'run' && <KindGlyph kind={node.kind === 'node' ? 'chain' : node.kind} />}
      <bdi>{node.kind === 'run' ? 'the run' : visibleText(name.slice(0, 120))}</bdi>
    </span>
  );
}
