import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TraceGraph } from '../../../client/misstep-client.generated.ts';
import { set } from '../../data/set-signal.ts';
import type { GraphLayout } from '../../graph-worker/layout.ts';
import { count, counted } from '../../parts/amounts.ts';
import {
  BUSIEST_PART,
  type DrawingLimits,
  type DrawnGraph,
  drawnGraph,
  WHOLE_GRAPH,
} from '../../trace-model/drawn-graph.ts';
import styles from './graph-drawing.module.css';
import { layOutGraph } from './graph-layout.ts';
import { GraphPicture, type PictureEdge, type PictureNode, sizesOf } from './graph-picture.tsx';

interface GraphDrawingProps {
  graph: TraceGraph;
  show(step: number | null): void;
}

type Drawn = DrawnGraph<PictureNode, PictureEdge>;

/** Agents and tools as boxes, calls and hand-offs as arrows. The tables below it say the same. */
export function GraphDrawing({ graph, show }: GraphDrawingProps) {
  const state = useSignal<{ drawn: Drawn; layout: GraphLayout; limits: DrawingLimits } | 'failed' | null>(null);
  useEffect(() => {
    const left = new AbortController();
    const draw = async (limits: DrawingLimits) => {
      const drawn = drawnGraph(graph.nodes, graph.edges, limits);
      set(state, { drawn, layout: await layOutGraph(sizesOf(drawn), left.signal), limits });
    };
    draw(WHOLE_GRAPH)
      .catch(() => (left.signal.aborted ? undefined : draw(BUSIEST_PART)))
      .catch(() => {
        if (!left.signal.aborted) set(state, 'failed');
      });
    return () => left.abort(new Error('the drawing is gone'));
  }, [graph]);
  if (state.value === 'failed')
    return <p class={styles.note}>The graph could not be drawn. The tables below list all of it.</p>;
  if (state.value === null) return <p class={styles.note}>Drawing the graph…</p>;
  const { drawn, layout, limits } = state.value;
  return (
    <>
      <GraphPicture nodes={drawn.nodes} edges={drawn.edges} layout={layout} show={show} />
      <LeftOut drawn={drawn} limits={limits} />
    </>
  );
}

function LeftOut({ drawn: { nodesLeftOut, edgesLeftOut }, limits }: { drawn: Drawn; limits: DrawingLimits }) {
  if (nodesLeftOut + edgesLeftOut === 0) return null;
  const reason =
    limits === BUSIEST_PART
      ? 'The whole graph could not be laid out in two seconds'
      : `A drawing holds ${limits.nodes} agents and tools and ${limits.edges} connections`;
  const missing = [
    ...(nodesLeftOut > 0 ? [nodesLeftOut === 1 ? '1 agent or tool' : `${count(nodesLeftOut)} agents and tools`] : []),
    ...(edgesLeftOut > 0 ? [counted(edgesLeftOut, 'connection')] : []),
  ];
  return (
    <p class={styles.note}>
      {reason}: the busiest part is drawn. Only the tables below list {missing.join(' and ')}.
    </p>
  );
}
