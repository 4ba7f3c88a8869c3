import type { Step } from '../../core/trace.ts';

export interface GraphNode {
  id: string;
  kind: 'agent' | 'tool' | 'node' | 'run';
  name: string | null;
  members: number;
  steps: number;
  errors: number;
  tokens: number;
  cost_usd: number | null;
  first_step: number | null;
}

export interface GraphEdge {
  from: string;
  to: string;
  kind: 'call' | 'delegation' | 'handoff';
  count: number;
  errors: number;
  first_step: number;
}

/** Maximum length of a displayed name. */
const MAX_CHARACTERS = 300;

/** Nodes by kind and name, in order of first use. */
export class NodeTable {
  readonly #nodes = new Map<string, GraphNode>();

  agent(name: string): GraphNode {
    return this.#of('agent', name);
  }

  tool(name: string): GraphNode {
    return this.#of('tool', name);
  }

  /** A node of the framework's graph. */
  node(name: string): GraphNode {
    return this.#of('node', name);
  }

  run(): GraphNode {
    return this.#of('run', 'run');
  }

  recordStep(node: GraphNode, { index, status, tokens, costUsd }: Step): void {
    node.steps += 1;
    if (status === 'error') node.errors += 1;
    node.tokens += tokens.total ?? (tokens.input ?? 0) + (tokens.output ?? 0);
    if (costUsd !== null) node.cost_usd = (node.cost_usd ?? 0) + costUsd;
    node.first_step ??= index;
  }

  all(): GraphNode[] {
    return [...this.#nodes.values()];
  }

  #of(kind: GraphNode['kind'], name: string): GraphNode {
    const key = `${kind} ${name}`;
    const known = this.#nodes.get(key);
    if (known) return known;
    const shown = name.length > MAX_CHARACTERS ? `${name.slice(0, MAX_CHARACTERS).toWellFormed()}…` : name;
    const node = { id: `n${this.#nodes.size}`, kind, name: shown, ...newNode() };
    this.#nodes.set(key, node);
    return node;
  }
}

export function newNode(): Omit<GraphNode, 'id' | 'kind' | 'name'> {
  return { members: 1, steps: 0, errors: 0, tokens: 0, cost_usd: null, first_step: null };
}

/** Edges by their ends and kind. */
export class EdgeTable {
  readonly #edges = new Map<string, GraphEdge>();

  add(
    from: Pick<GraphNode, 'id'>,
    to: Pick<GraphNode, 'id'>,
    kind: GraphEdge['kind'],
    { step, isError, count = 1, errors = isError ? 1 : 0 }: EdgeUse,
  ): void {
    const key = `${from.id} ${to.id} ${kind}`;
    const known = this.#edges.get(key);
    const edge = known ?? { from: from.id, to: to.id, kind, count: 0, errors: 0, first_step: step };
    if (!known) this.#edges.set(key, edge);
    edge.count += count;
    edge.errors += errors;
    edge.first_step = Math.min(edge.first_step, step);
  }

  all(): GraphEdge[] {
    return [...this.#edges.values()];
  }
}

interface EdgeUse {
  step: number;
  isError: boolean;
  count?: number;
  errors?: number;
}
