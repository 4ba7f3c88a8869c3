import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TraceGraph } from '../../../client/misstep-client.generated.ts';
import { set } from '../../data/set-signal.ts';
import type { GraphLayout } from '../../graph-worker/layout.ts';
import { count, pluralize } from '../../parts/amounts.ts';
import {
  type DrawingLimits,
  type DrawnGraph,
  drawnGraph,
  FULL_GRAPH_LIMITS,
  REDUCED_LIMITS,
} from '../../trace-model/drawn-graph.ts';
import styles from './graph-drawing.module.css';
import { layOutGraph } from './graph-layout.ts';
import { GraphPicture, type PictureEdge, type PictureNode, sizesOf } from './graph-picture.tsx';

interface GraphDrawingProps {
  graph: TraceGraph;
  show(step: number | null): void;
}

type DrawnTraceGraph = DrawnGraph<PictureNode, PictureEdge>;

/** Agents and tools as boxes, calls and handoffs as arrows. The tables below contain the same data. */
export function GraphDrawing({ graph, show }: GraphDrawingProps) {
  const state = useSignal<{ drawn: DrawnTraceGraph; layout: GraphLayout; limits: DrawingLimits } | 'failed' | null>(
    null,
  );
  useEffect(() => {
    const controller = new AbortController();
    const draw = async (limits: DrawingLimits) => {
      const drawn = drawnGraph(graph.nodes, graph.edges, limits);
      set(state, { drawn, layout: await layOutGraph(sizesOf(drawn), controller.signal), limits });
    };
    draw(FULL_GRAPH_LIMITS)
      .catch(() => (controller.signal.aborted ? undefined : draw(REDUCED_LIMITS)))
      .catch(() => {
        if (!controller.signal.aborted) set(state, 'failed');
      });
    return () => controller.abort(new Error('the drawing is closed'));
  }, [graph]);
  if (state.value === 'failed')
    return <p class={styles.note}>The graph could not be drawn. The tables below list all of it.</p>;
  if (state.value === null) return <p class={styles.note}>Drawing the graph…</p>;
  const { drawn, layout, limits } = state.value;
  return (
    <>
      <GraphPicture nodes={drawn.nodes} edges={drawn.edges} layout={layout} show={show} />
      <OmittedNote drawn={drawn} limits={limits} />
    </>
  );
}

function OmittedNote({
  drawn: { omittedNodeCount, omittedEdgeCount },
  limits,
}: {
  drawn: DrawnTraceGraph;
  limits: DrawingLimits;
}) {
  if (omittedNodeCount + omittedEdgeCount === 0) return null;
  const reason =
    limits === REDUCED_LIMITS
      ? 'The whole graph could not be laid out in two seconds'
      : `A drawing holds ${limits.nodes} agents and tools and ${limits.edges} connections`;
  const omitted = [
    ...(omittedNodeCount > 0
      ? [omittedNodeCount === 1 ? '1 agent or tool' : `${count(omittedNodeCount)} agents and tools`]
      : []),
    ...(omittedEdgeCount > 0 ? [pluralize(omittedEdgeCount, 'connection')] : []),
  ];
  return (
    <p class={styles.note}>
      {reason}: the busiest part is drawn. Only the tables below list {omitted.join(' and ')}.
    </p>
  );
}
