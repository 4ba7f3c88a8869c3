import { z } from 'zod';
import type { Step, Trace } from '../../core/trace.ts';
import { actorKey, actsAfter, handoffs, isSameActor } from '../../detectors/_readings/conduct/handoffs.ts';
import { MAX_EDGES, MAX_NODES, withinBounds } from './graph-bounds.ts';
import { EdgeTable, NodeTable } from './graph-tables.ts';

const count = z.number().int();

const graphNodeRecord = z.object({
  id: z.string(),
  kind: z
    .enum(['agent', 'tool', 'node', 'run'])
    .describe('`node`: of the graph of a framework, in a run that names no agents; `run`: what no agent did'),
  name: z.string().nullable().describe('Null for the node that groups all further ones of its kind'),
  members: count.describe('1, or the number of agents or tools in the group'),
  steps: count,
  errors: count.describe('Steps that failed'),
  tokens: z.number(),
  cost_usd: z.number().nullable(),
  first_step: count.nullable().describe('Null for an agent that was named but never acted'),
});

const graphEdgeRecord = z.object({
  from: z.string(),
  to: z.string(),
  kind: z
    .enum(['call', 'delegation', 'handoff'])
    .describe(
      '`call`: of a tool; `delegation`: an agent runs inside of another one; `handoff`: an agent or graph node acts after another one, or was named as the next',
    ),
  count,
  errors: count.describe('Calls that failed, or hand-offs to an agent that did not act'),
  first_step: count,
});

/** Agents and tools of a trace, and who called or followed whom. */
export const traceGraphRecord = z
  .object({
    trace_id: z.string(),
    nodes: z.array(graphNodeRecord).describe(`In order of first use, at most ${MAX_NODES}`),
    edges: z.array(graphEdgeRecord).describe(`The most frequent first, at most ${MAX_EDGES}`),
    edges_left_out: count,
    note: z.string().nullable().describe('What was joined or omitted; null if nothing was'),
  })
  .meta({ id: 'TraceGraph' });
export type TraceGraphRecord = z.input<typeof traceGraphRecord>;

export function graphOf(traceId: string, trace: Trace): TraceGraphRecord {
  const nodes = new NodeTable();
  const edges = new EdgeTable();
  if (trace.steps.every(({ agent }) => agent === null)) addGraphNodes(nodes, edges, trace.steps);
  for (const step of trace.steps) addStep(nodes, edges, step);
  addDelegations(nodes, edges, trace.steps);
  addTurns(nodes, edges, trace.steps);
  addNamedReceivers(nodes, edges, trace);
  return { trace_id: traceId, ...withinBounds(nodes.all(), edges.all()) };
}

/** Nodes of the framework's graph, and which of them ran after which, in a run that names no agents. */
function addGraphNodes(nodes: NodeTable, edges: EdgeTable, steps: readonly Step[]): void {
  const last = new Map<number | null, Step>();
  for (const step of steps) {
    const { node, parent, index, startMs } = step;
    if (node === null || (parent !== null && steps[parent]!.node === node)) continue;
    nodes.recordStep(nodes.node(node), step);
    const before = last.get(parent);
    last.set(parent, step);
    if (before === undefined || (startMs !== null && before.endMs !== null && startMs < before.endMs)) continue;
    edges.add(nodes.node(before.node!), nodes.node(node), 'handoff', { step: index, isError: false });
  }
}

function addStep(nodes: NodeTable, edges: EdgeTable, step: Step): void {
  const isTool = step.kind === 'tool';
  if (step.agent !== null) nodes.recordStep(nodes.agent(step.agent), step);
  else if (isTool) nodes.recordStep(nodes.run(), step);
  if (!isTool) return;
  const tool = nodes.tool(step.tool?.name ?? step.name);
  nodes.recordStep(tool, step);
  const caller = step.agent === null ? nodes.run() : nodes.agent(step.agent);
  edges.add(caller, tool, 'call', { step: step.index, isError: step.status === 'error' });
}

/** An agent whose step is inside another agent's step. */
function addDelegations(nodes: NodeTable, edges: EdgeTable, steps: readonly Step[]): void {
  for (const { index, parent, agent } of steps) {
    const above = parent === null ? null : steps[parent]!.agent;
    if (agent === null || above === null || agent === above) continue;
    edges.add(nodes.agent(above), nodes.agent(agent), 'delegation', { step: index, isError: false });
  }
}

/** Agents that act one after the other without a parent agent. Steps that overlap in time are parallel. */
function addTurns(nodes: NodeTable, edges: EdgeTable, steps: readonly Step[]): void {
  const actors = firstActors(steps);
  const last = new Map<number | null, number>();
  for (const { index, parent, startMs } of steps) {
    const agent = actors[index] ?? null;
    if (agent === null || (parent !== null && steps[parent]!.agent !== null)) continue;
    const before = last.get(parent);
    last.set(parent, index);
    if (before === undefined || actors[before] === agent) continue;
    const { endMs } = steps[before]!;
    if (startMs !== null && endMs !== null && startMs < endMs) continue;
    edges.add(nodes.agent(actors[before]!), nodes.agent(agent), 'handoff', { step: index, isError: false });
  }
}

/** The agent of each step, or else the first one inside of it. */
function firstActors(steps: readonly Step[]): (string | null)[] {
  const actors = steps.map(({ agent }) => agent);
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const { parent } = steps[at]!;
    const actor = actors[at];
    if (parent !== null && actor != null && steps[parent]!.agent === null) actors[parent] = actor;
  }
  return actors;
}

/** Agents that were named as the next one and did not act: the trace shows them nowhere else. */
function addNamedReceivers(nodes: NodeTable, edges: EdgeTable, trace: Trace): void {
  // A handoff may spell a name differently from the agent's own spans.
  const agentNames = new Map(trace.agents.map((agent) => [actorKey(agent), agent]));
  const agentOf = (name: string) => nodes.agent(agentNames.get(actorKey(name)) ?? name);
  for (const { from, to, step } of handoffs(trace)) {
    if (from === null || isSameActor(from, to) || actsAfter(trace, to, step)) continue;
    edges.add(agentOf(from), agentOf(to), 'handoff', { step, isError: true });
  }
}
