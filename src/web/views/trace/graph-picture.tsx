import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { TraceGraph } from '../../../client/misstep-client.generated.ts';
import { set } from '../../data/set-signal.ts';
import type { GraphLayout } from '../../graph-worker/layout.ts';
import type { LayoutRequest } from '../../graph-worker/layout-request.ts';
import { count } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { cycleEdges } from '../../trace-model/drawn-graph.ts';
import { edgeGroups } from '../../trace-model/edge-groups.ts';
import { graphLegend } from '../../trace-model/graph-legend.ts';
import styles from './graph-drawing.module.css';

export type PictureNode = TraceGraph['nodes'][number];
export type PictureEdge = TraceGraph['edges'][number];

/** The visible part of the drawing, in pixels of the layout. */
interface View {
  x: number;
  y: number;
  width: number;
  height: number;
}

const NODE_HEIGHT = 30;
const CHARACTER_WIDTH = 7;
const MAX_LABEL_LENGTH = 26;
const ZOOM_FACTOR = 1.3;

/** The sizes of boxes and labels, as input of the layout. */
export function sizesOf({
  nodes,
  edges,
}: {
  nodes: readonly PictureNode[];
  edges: readonly PictureEdge[];
}): LayoutRequest {
  return {
    nodes: nodes.map((node) => ({ id: node.id, width: widthOf(labelOf(node)) + 24, height: NODE_HEIGHT })),
    edges: edges.map((edge) => ({
      from: edge.from,
      to: edge.to,
      label: { width: widthOf(countLabel(edge)), height: 16 },
    })),
  };
}

interface PictureProps {
  nodes: readonly PictureNode[];
  edges: readonly PictureEdge[];
  layout: GraphLayout;
  show(step: number | null): void;
}

/** A graph that can be moved and zoomed with keys, buttons and the pointer. */
export function GraphPicture({ nodes, edges, layout, show }: PictureProps) {
  const fullView: View = { x: 0, y: 0, width: layout.width, height: layout.height };
  const view = useSignal(fullView);
  const { x, y, width, height } = view.value;
  const zoom = (factor: number) => set(view, zoomed(view.peek(), factor));
  const pan = (right: number, down: number) =>
    set(view, { ...view.peek(), x: x + (right * width) / 8, y: y + (down * height) / 8 });
  const keys: Record<string, () => void> = {
    '+': () => zoom(1 / ZOOM_FACTOR),
    '-': () => zoom(ZOOM_FACTOR),
    '0': () => set(view, fullView),
    ArrowLeft: () => pan(-1, 0),
    ArrowRight: () => pan(1, 0),
    ArrowUp: () => pan(0, -1),
    ArrowDown: () => pan(0, 1),
  };
  const legend = useMemo(() => graphLegend(nodes, edges, cycleEdges(edges).size), [nodes, edges]);
  const section = useRef<HTMLElement>(null);
  // A tall drawing is scrolled to its first box, because the caller of a hundred tools is halfway down.
  useLayoutEffect(() => {
    const { current } = section;
    const [first] = layout.nodes;
    if (current === null || first === undefined) return;
    const scale = current.querySelector('svg')!.clientHeight / layout.height;
    current.scrollTop = first.y * scale - current.clientHeight / 2;
  }, [layout]);
  return (
    <section
      ref={section}
      class={styles.drawing}
      aria-label="Drawing of the graph: arrow keys move it, + and − zoom, 0 shows all of it"
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
        <Button label="Zoom in" onClick={() => zoom(1 / ZOOM_FACTOR)}>
          +
        </Button>
        <Button label="Zoom out" onClick={() => zoom(ZOOM_FACTOR)}>
          −
        </Button>
        <Button onClick={() => set(view, fullView)}>Show all</Button>
      </div>
      <svg
        class={styles.svg}
        viewBox={`${x} ${y} ${width} ${height}`}
        style={{ maxHeight: `${Math.max(120, layout.height)}px` }}
        aria-hidden="true"
        onPointerDown={(event) => dragView(event, view.peek(), (moved) => set(view, moved))}
      >
        <Edges edges={edges} layout={layout} />
        {nodes.map((node, index) => (
          <NodeShape key={node.id} node={node} position={layout.nodes[index]!} show={show} />
        ))}
      </svg>
      {legend !== '' && <p class={styles.legend}>{legend}</p>}
    </section>
  );
}

/** The first edges with several calls or errors have a label. */
const MAX_LABELS = 80;

function Edges({ edges, layout }: Pick<PictureProps, 'edges' | 'layout'>) {
  const groups = useMemo(
    () =>
      edgeGroups(
        edges,
        layout.edges.map(({ points }) => points),
        cycleEdges(edges),
      ),
    [edges, layout],
  );
  const labelled = edges
    .map((edge, index) => ({ edge, label: layout.edges[index]!.label }))
    .filter(({ edge }) => edge.count > 1 || edge.errors > 0)
    .slice(0, MAX_LABELS);
  return (
    <>
      {groups.map(({ kind, isOnCycle, lines, heads }) => (
        <g key={`${kind} ${isOnCycle}`} data-edge={kind} data-cycle={isOnCycle} class={styles.edge}>
          <path d={lines} />
          <path class={styles.arrow} d={heads} />
        </g>
      ))}
      {labelled.map(({ edge, label }, index) => {
        const width = widthOf(countLabel(edge)) + 4;
        return (
          <rect key={index} class={styles.ground} x={label.x - width / 2} y={label.y - 9} width={width} height="18" />
        );
      })}
      {labelled.map(({ edge, label }, index) => (
        <text key={index} class={styles.times} data-failed={edge.errors > 0} x={label.x} y={label.y + 4}>
          {countLabel(edge)}
        </text>
      ))}
    </>
  );
}

interface NodeShapeProps {
  node: PictureNode;
  position: { x: number; y: number };
  show(step: number | null): void;
}

function NodeShape({ node, position, show }: NodeShapeProps) {
  const label = labelOf(node);
  const width = widthOf(label) + 24;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table of the same nodes has the buttons
    <g
      class={styles.node}
      data-kind={node.kind}
      data-failed={node.errors > 0}
      transform={`translate(${position.x - width / 2} ${position.y - NODE_HEIGHT / 2})`}
      onClick={() => show(node.first_step)}
    >
      <rect width={width} height={NODE_HEIGHT} rx={node.kind === 'tool' ? 0 : NODE_HEIGHT / 2} />
      <text x={width / 2} y={NODE_HEIGHT / 2 + 4}>
        {label}
      </text>
    </g>
  );
}

function labelOf(node: PictureNode): string {
  if (node.kind === 'run') return 'the run';
  const name = node.name === null ? `${count(node.members)} more ${node.kind}s` : visibleText(node.name.slice(0, 200));
  return name.length <= MAX_LABEL_LENGTH ? name : `${name.slice(0, MAX_LABEL_LENGTH - 1).toWellFormed()}…`;
}

function countLabel({ count: times, errors }: PictureEdge): string {
  return errors > 0 ? `×${count(times)}, ${count(errors)} failed` : `×${count(times)}`;
}

function widthOf(text: string): number {
  return text.length * CHARACTER_WIDTH;
}

/** Zooms around the centre. */
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
