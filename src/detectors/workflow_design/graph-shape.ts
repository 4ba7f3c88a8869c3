import type { Trace, WorkflowGraph, WorkflowNode } from '../../core/trace.ts';

/** A declared graph with facts derived from its edges. */
export interface GraphShape {
  nodes: Map<string, WorkflowNode>;
  next: Map<string, string[]>;
  previous: Map<string, string[]>;
  entries: string[];
  ends: string[];
  reachable: Set<string>;
  /** Nodes from which an end, or a node without successors, can be reached. */
  canFinish: Set<string>;
}

/** Canvas notes are stored like nodes. */
const ANNOTATION = /sticky|comment|\bnote\b|custom-note/i;
const END_TYPES = new Set(['end', '__end__', 'answer', 'terminal', 'finish']);

export function isEndName(name: string): boolean {
  return /^(?:__end__|end)$/i.test(name);
}

export function readGraph(graph: WorkflowGraph): GraphShape {
  const nodes = new Map(graph.nodes.filter((node) => !ANNOTATION.test(node.type)).map((node) => [node.name, node]));
  const edges = graph.edges.filter(({ from, to }) => nodes.has(from) && (nodes.has(to) || isEndName(to)));
  const next = Map.groupBy(edges, ({ from }) => from);
  const previous = Map.groupBy(edges, ({ to }) => to);
  const following = new Map([...next].map(([name, list]) => [name, list.map(({ to }) => to)]));
  const preceding = new Map([...previous].map(([name, list]) => [name, list.map(({ from }) => from)]));
  const entries = [...nodes.values()].filter(isEntry).map(({ name }) => name);
  const ends = [...new Set([...nodes.keys(), ...edges.map(({ to }) => to)])].filter((name) =>
    isEnd(name, nodes.get(name)),
  );
  const sinks = [...nodes.keys()].filter((name) => !following.has(name));
  return {
    nodes,
    next: following,
    previous: preceding,
    entries,
    ends,
    reachable: closure(entries, following),
    canFinish: closure([...ends, ...sinks], preceding),
  };
}

function isEntry(node: WorkflowNode): boolean {
  return node.isEntry || node.name === '__start__' || node.type.toLowerCase() === 'start';
}

function isEnd(name: string, node: WorkflowNode | undefined): boolean {
  return isEndName(name) || (node !== undefined && END_TYPES.has(node.type.toLowerCase()));
}

/** All names that can be reached from `from`, including itself. */
export function closure(from: readonly string[], edges: ReadonlyMap<string, string[]>): Set<string> {
  const seen = new Set(from);
  const queue = [...from];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const other of edges.get(name) ?? []) {
      if (seen.has(other)) continue;
      seen.add(other);
      queue.push(other);
    }
  }
  return seen;
}

/** Names of graph nodes that the run's steps may represent. */
export function executedNames(trace: Trace): Set<string> {
  return new Set(trace.steps.flatMap((step) => [step.node, step.agent, step.name].filter((name) => name !== null)));
}
