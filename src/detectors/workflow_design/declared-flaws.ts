import type { FixChange } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { jsonPatched, type PatchOperation } from '../_kit/patch.ts';
import { isStepLimit } from '../_readings/calls/run-errors.ts';
import type { Flaw } from './flaw.ts';
import { closure, executedNames, type GraphShape, readGraph } from './graph-shape.ts';

const NAMES_SHOWN = 5;
/** Platforms whose declared graph contains every route: no code selects another. */
const COMPLETE_GRAPH_FRAMEWORKS = new Set(['n8n', 'dify']);
/** Node types that can stop a cycle from inside: the exit is in their settings, not among the edges. */
const DECIDING = /batch|loop|iterat|\bif\b|if-?else|switch|filter|condition|wait|human|router|classifier|limit/i;

/** A fault of the whole graph belongs to no step; the root represents it. */
const WHOLE_GRAPH: Pick<Flaw, 'step' | 'steps' | 'agent'> = { step: null, steps: [0], agent: null };

/** Faults of the declared graph, independent of this run. */
export function findDeclaredFlaws(trace: Trace): Flaw[] {
  if (trace.graph === null || trace.graph.nodes.length === 0) return [];
  const shape = readGraph(trace.graph);
  if (shape.entries.length === 0) return [];
  return [unreachableNodes(shape, trace), deadEnds(shape, trace), endlessCycle(shape, trace)].filter(
    (flaw) => flaw !== null,
  );
}

function unreachableNodes(shape: GraphShape, trace: Trace): Flaw | null {
  const executed = executedNames(trace);
  const names = [...shape.nodes.keys()].filter(
    (name) =>
      !shape.reachable.has(name) &&
      !executed.has(name) &&
      !shape.ends.includes(name) &&
      !isAttachment(name, shape, trace),
  );
  if (names.length === 0) return null;
  const isRoutedAtRunTime = trace.steps.some((step) => step.goto.length > 0);
  const hasCompleteGraph = COMPLETE_GRAPH_FRAMEWORKS.has(trace.framework);
  const isUnconnected = names.every((name) => !shape.next.has(name) && !shape.previous.has(name));
  const score = hasCompleteGraph && !isUnconnected ? 0.75 : 0.5;
  return {
    ...WHOLE_GRAPH,
    subtype: 'unreachable_node',
    // Routes selected in code are not declared, so a node without edges may still be a target.
    score: isRoutedAtRunTime ? 0.35 : score,
    explanation: `In the workflow of ${rootName(trace)} no declared path leads from ${listed(shape.entries)} to ${listed(names)}, and ${names.length === 1 ? 'it' : 'they'} did not run.${hasCompleteGraph ? '' : ' A route that code chooses may still lead there.'}`,
    suggestedAction: `Connect ${listed(names)} to the workflow or remove ${names.length === 1 ? 'it' : 'them'}.`,
    evidence: [graphEvidence(trace, { unreachable: names })],
    target: `node ${names[0]}`,
    change: `an edge to ${names[0]}, or no such node`,
    rationale: 'A node without an incoming path is unused, or its edge is missing.',
    key: `unreachable ${[...names].sort().join(' ')}`,
  };
}

/**
 * Whether a node is attached to an agent: in n8n, models, memories and tools have edges of their own kind and no input by
 * design.
 */
function isAttachment(name: string, shape: GraphShape, trace: Trace): boolean {
  const isN8n = trace.framework === 'n8n' || /n8n-nodes/.test(shape.nodes.get(name)!.type);
  return isN8n && [...closure([name], shape.next)].some((other) => shape.reachable.has(other));
}

/** With more edges, a detection would be as large as its workflow. */
const MAX_EDGES = 60;

/** The declared edges plus one from each node; null for n8n, whose file has another form. */
function edgesAdded({ framework, graph }: Trace, names: readonly string[], to: string): FixChange | null {
  if (graph === null || graph.edges.length > MAX_EDGES || framework === 'n8n') return null;
  const operations = names.map((from): PatchOperation => ({ op: 'add', path: '/edges/-', value: { from, to } }));
  return jsonPatched(
    'edges of the workflow',
    { edges: graph.edges.map(({ from, to: end }) => ({ from, to: end })) },
    operations,
  );
}

function deadEnds(shape: GraphShape, trace: Trace): Flaw | null {
  if (shape.ends.length === 0) return null;
  const routers = new Set(trace.steps.filter((step) => step.goto.length > 0).map((step) => step.node ?? step.name));
  const names = [...shape.nodes.keys()].filter(
    (name) => shape.reachable.has(name) && !shape.next.has(name) && !shape.ends.includes(name) && !routers.has(name),
  );
  if (names.length === 0) return null;
  const last = trace.steps.findLast((step) => names.includes(step.node ?? step.name));
  const isProven = last !== undefined && hasKnownEnd(trace) && trace.finalOutput === null;
  return {
    ...WHOLE_GRAPH,
    subtype: 'dead_end',
    score: isProven ? 0.7 : 0.5,
    steps: [last?.index ?? 0],
    step: last?.index ?? null,
    explanation:
      `In the workflow of ${rootName(trace)} nothing follows ${listed(names)}, though the workflow ends at ${listed(shape.ends)}.` +
      (isProven ? ' This run stopped there without an answer.' : ''),
    suggestedAction: `Add an edge from ${listed(names)} to ${shape.ends[0]}.`,
    evidence: [graphEvidence(trace, { dead_ends: names, ends: shape.ends })],
    target: `node ${names[0]}`,
    change: `add_edge("${names[0]}", "${shape.ends[0]}")`,
    patch: edgesAdded(trace, names, shape.ends[0]!),
    rationale: 'The result of the node is never used, and the run ends as if it were complete.',
    key: `dead end ${[...names].sort().join(' ')}`,
  };
}

function endlessCycle(shape: GraphShape, trace: Trace): Flaw | null {
  const trapped = [...shape.nodes.keys()].filter((name) => shape.reachable.has(name) && !shape.canFinish.has(name));
  const cycle = trapped.filter((name) => closure(shape.next.get(name) ?? [], shape.next).has(name));
  if (cycle.length === 0) return null;
  const visit = trace.steps.find((step) => cycle.includes(step.node ?? step.name));
  // A run that left the cycle proves an exit that is not declared.
  if (visit !== undefined && hasKnownEnd(trace) && trace.status === 'ok') return null;
  const limitStep = trace.steps.find((step) => step.error !== null && isStepLimit(step.error));
  const canDecide = cycle.some((name) => DECIDING.test(shape.nodes.get(name)!.type) || DECIDING.test(name));
  const score = limitStep !== undefined && visit !== undefined ? 0.95 : canDecide ? 0.4 : 0.75;
  return {
    ...WHOLE_GRAPH,
    subtype: 'cycle_without_exit',
    score,
    step: visit?.index ?? null,
    steps: [visit?.index ?? 0],
    agent: visit?.agent ?? null,
    explanation:
      `In the workflow of ${rootName(trace)} the cycle of ${listed(cycle)} has no edge that leaves it, so a run that enters it cannot end.` +
      (limitStep === undefined ? '' : ' This run repeated the cycle until its step limit stopped it.'),
    suggestedAction: `Add a conditional edge from ${cycle.at(-1)} to the end of the workflow.`,
    evidence: [graphEvidence(trace, { cycle })],
    target: `edges of ${cycle.at(-1)}`,
    change: `add_conditional_edges("${cycle.at(-1)}", is_done, {True: END, False: "${cycle[0]}"})`,
    rationale: 'Only an edge out of the cycle, with a condition that becomes true, lets the run finish by itself.',
    key: `cycle ${[...cycle].sort().join(' ')}`,
  };
}

function rootName(trace: Trace): string {
  return trace.steps[0]!.name;
}

function graphEvidence(trace: Trace, value: { [key: string]: string[] }) {
  return { kind: 'graph', spanId: trace.steps[0]!.spanId, path: null, quote: null, value };
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `\`${name}\``);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
