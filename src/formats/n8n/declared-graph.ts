import { isJsonObject, type Json } from '../../core/json.ts';
import type { StepKind, WorkflowGraph } from '../../core/trace.ts';
import type { Execution, WorkflowNode } from './execution-shape.ts';
import { isAttachedType, isEntryType, kindOfType, shortType } from './node-kind.ts';

/**
 * The declared workflow with edges of every kind, so that models and tools lead to the agent that uses them. Null if an
 * edge names a missing node, or several nodes have no edge at all: their connections are then unknown.
 */
export function declaredGraph({ nodes, connections, settings }: Execution): WorkflowGraph | null {
  const edges = [...connections].flatMap(([from, list]) => list.map(({ to }) => ({ from, to })));
  if (edges.length === 0 && nodes.size !== 1) return null;
  if (edges.some(({ from, to }) => !nodes.has(from) || !nodes.has(to))) return null;
  const targets = new Set(edges.map(({ to }) => to));
  return {
    nodes: [...nodes.values()].map(({ name, type, isDisabled, failureSettings, parameters }) => ({
      name,
      type,
      // A disabled entry node is intended and not a fault of the workflow.
      isEntry: isEntryType(type) || (isDisabled && !targets.has(name)),
      callsOut: !isDisabled && CALLING.has(kindOfType(type)) && !isSubNode(type),
      isGuarded: failureSettings.attempts > 1 || failureSettings.onError !== 'stop',
      ...pauseOf(type, parameters),
    })),
    edges,
    ...(settings.errorWorkflow === undefined
      ? {}
      : { hasErrorHandler: hasErrorHandler(settings.errorWorkflow, nodes) }),
  };
}

const UNIT_MS: Readonly<Record<string, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

/** The pause of a wait node; none if an expression, a date or a call ends it. Omitted settings have different defaults. */
function pauseOf(type: string, parameters: Json): { pauseMs?: number } {
  const { resume, amount, unit } = isJsonObject(parameters) ? parameters : {};
  if (shortType(type) !== 'wait' || (resume !== undefined && resume !== 'timeInterval')) return {};
  const factor = typeof unit === 'string' ? UNIT_MS[unit] : undefined;
  return factor === undefined || typeof amount !== 'number' || amount <= 0 ? {} : { pauseMs: amount * factor };
}

/** Models and similar sub-nodes have no failure settings: the agent that uses them has. */
function isSubNode(type: string): boolean {
  return type.includes('langchain') && isAttachedType(type);
}

const CALLING: ReadonlySet<StepKind> = new Set(['tool', 'llm', 'agent']);

/** A workflow with an error trigger of its own is its own error workflow. */
function hasErrorHandler(errorWorkflow: string | null, nodes: Execution['nodes']): boolean {
  const isOwn = ({ type, isDisabled }: WorkflowNode) => !isDisabled && shortType(type) === 'errorTrigger';
  return errorWorkflow !== null || [...nodes.values()].some(isOwn);
}
