import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TraceGraph } from '../../../client/misstep-client.generated.ts';
import { set } from '../../data/set-signal.ts';
import type { GraphLayout } from '../../graph-worker/layout.ts';
import { count } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { cycleEdges, drawnGraph } from '../../trace-model/drawn-graph.ts';
import styles from './graph-drawing.module.css';
import { layOutGraph } from './graph-layout.ts';

type Node = TraceGraph['nodes'][number];
type Edge = TraceGraph['edges'][number];

interface GraphDrawingProps {
  graph: TraceGraph;
  show(step: number | null): void;
}

/** Part of the drawing that is in view, in pixels of the layout. */
interface View {
  x: number;
  y: number;
  width: number;
  height: number;
}

const NODE_HEIGHT = 30;
const LETTER_WIDTH = 7;
const MOST_LETTERS = 26;
const ZOOM = 1.3;

/** Agents and tools as boxes, calls and hand-offs as arrows. The tables below it say the same. */
export function GraphDrawing({ graph, show }: GraphDrawingProps) {
  const drawn = useMemo(() => drawnGraph(graph.nodes, graph.edges), [graph]);
  const layout = useSignal<GraphLayout | null | 'failed'>(null);
  useEffect(() => {
    const left = new AbortController();
    const request = {
      nodes: drawn.nodes.map((node) => ({ id: node.id, width: widthOf(labelOf(node)) + 24, height: NODE_HEIGHT })),
      edges: drawn.edges.map((edge) => ({
        from: edge.from,
        to: edge.to,
        label: { width: widthOf(timesOf(edge)), height: 16 },
      })),
    };
    layOutGraph(request, left.signal).then(
      (done) => set(layout, done),
      () => {
        if (!left.signal.aborted) set(layout, 'failed');
      },
    );
    return () => left.abort(new Error('the drawing is gone'));
  }, [drawn]);
  if (layout.value === 'failed')
    return <p class={styles.note}>The graph could not be drawn. The tables below list all of it.</p>;
  if (layout.value === null) return <p class={styles.note}>Drawing the graph…</p>;
  const { nodesLeftOut, edgesLeftOut } = drawn;
  return (
    <>
      <Drawing nodes={drawn.nodes} edges={drawn.edges} layout={layout.value} show={show} />
      {nodesLeftOut + edgesLeftOut > 0 && (
        <p class={styles.note}>
          The busiest part is drawn. {count(nodesLeftOut)} agents and tools and {count(edgesLeftOut)} connections are
          not.
        </p>
      )}
    </>
  );
}

interface DrawingProps {
  nodes: readonly Node[];
  edges: readonly Edge[];
  layout: GraphLayout;
  show(step: number | null): void;
}

function Drawing({ nodes, edges, layout, show }: DrawingProps) {
  const whole: View = { x: 0, y: 0, width: layout.width, height: layout.height };
  const view = useSignal(whole);
  const cycles = useMemo(() => cycleEdges(edges), [edges]);
  const { x, y, width, height } = view.value;
  const zoom = (factor: number) => set(view, zoomed(view.peek(), factor));
  const pan = (right: number, down: number) =>
    set(view, { ...view.peek(), x: x + (right * width) / 8, y: y + (down * height) / 8 });
  const keys: Record<string, () => void> = {
    '+': () => zoom(1 / ZOOM),
    '-': () => zoom(ZOOM),
    '0': () => set(view, whole),
    ArrowLeft: () => pan(-1, 0),
    ArrowRight: () => pan(1, 0),
    ArrowUp: () => pan(0, -1),
    ArrowDown: () => pan(0, 1),
  };
  return (
    <section
      class={styles.drawing}
      aria-label="Drawing of the graph: arrow keys move it, + and − change its size, 0 shows all of it"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the drawing
      tabIndex={0}
      onKeyDown={(event) => {
        const run = keys[event.key];
        if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        run();
      }}
    >
      <div class={styles.buttons}>
        <Button label="Larger" onClick={() => zoom(1 / ZOOM)}>
          +
        </Button>
        <Button label="Smaller" onClick={() => zoom(ZOOM)}>
          −
        </Button>
        <Button onClick={() => set(view, whole)}>Show all</Button>
      </div>
      <svg
        class={styles.svg}
        viewBox={`${x} ${y} ${width} ${height}`}
        style={{ maxHeight: `${Math.max(120, layout.height)}px` }}
        aria-hidden="true"
        onPointerDown={(event) => dragView(event, view.peek(), (moved) => set(view, moved))}
      >
        <defs>
          <marker
            id="graph-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
            markerUnits="userSpaceOnUse"
          >
            <path class={styles.arrow} d="M0 0 8 4 0 8Z" />
          </marker>
        </defs>
        {edges.map((edge, at) => (
          <EdgeShape key={at} edge={edge} place={layout.edges[at]!} isOnCycle={cycles.has(edge)} />
        ))}
        {nodes.map((node, at) => (
          <NodeShape key={node.id} node={node} place={layout.nodes[at]!} show={show} />
        ))}
      </svg>
      <p class={styles.legend}>
        Thick arrows are part of a cycle. Dashed arrows are hand-offs. A box with a dashed outline had failed steps.
      </p>
    </section>
  );
}

function EdgeShape({
  edge,
  place,
  isOnCycle,
}: {
  edge: Edge;
  place: GraphLayout['edges'][number];
  isOnCycle: boolean;
}) {
  const { points, label } = place;
  const line = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const isShown = edge.count > 1 || edge.errors > 0;
  return (
    <g data-edge={edge.kind} data-cycle={isOnCycle} data-failed={edge.errors > 0} class={styles.edge}>
      <path d={line} marker-end="url(#graph-arrow)" />
      {isShown && (
        <text x={label.x} y={label.y + 4}>
          {timesOf(edge)}
        </text>
      )}
    </g>
  );
}

interface NodeShapeProps {
  node: Node;
  place: { x: number; y: number };
  show(step: number | null): void;
}

function NodeShape({ node, place, show }: NodeShapeProps) {
  const label = labelOf(node);
  const width = widthOf(label) + 24;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table of the same nodes has the buttons
    <g
      class={styles.node}
      data-kind={node.kind}
      data-failed={node.errors > 0}
      transform={`translate(${place.x - width / 2} ${place.y - NODE_HEIGHT / 2})`}
      onClick={() => show(node.first_step)}
    >
      <rect width={width} height={NODE_HEIGHT} rx={node.kind === 'tool' ? 0 : NODE_HEIGHT / 2} />
      <text x={width / 2} y={NODE_HEIGHT / 2 + 4}>
        {label}
      </text>
    </g>
  );
}

function labelOf(node: Node): string {
  if (node.kind === 'run') return 'the run';
  const name = node.name === null ? `${count(node.members)} more ${node.kind}s` : visibleText(node.name.slice(0, 200));
  return name.length <= MOST_LETTERS ? name : `${name.slice(0, MOST_LETTERS - 1).toWellFormed()}…`;
}

function timesOf({ count: times, errors }: Edge): string {
  return errors > 0 ? `×${count(times)}, ${count(errors)} failed` : `×${count(times)}`;
}

function widthOf(text: string): number {
  return text.length * LETTER_WIDTH;
}

/** Around its centre. */
function zoomed({ x, y, width, height }: View, factor: number): View {
  const next = { width: width * factor, height: height * factor };
  return { x: x + (width - next.width) / 2, y: y + (height - next.height) / 2, ...next };
}

/** Moves the view with the pointer until it is released. */
function dragView(start: PointerEvent, from: View, move: (view: View) => void): void {
  const svg = start.currentTarget as SVGSVGElement;
  const scale = from.width / svg.getBoundingClientRect().width;
  const drag = (event: PointerEvent) =>
    move({
      ...from,
      x: from.x - (event.clientX - start.clientX) * scale,
      y: from.y - (event.clientY - start.clientY) * scale,
    });
  const end = new AbortController();
  addEventListener('pointermove', drag, { signal: end.signal });
  for (const name of ['pointerup', 'pointercancel'] as const)
    addEventListener(name, () => end.abort(), { signal: end.signal });
}
