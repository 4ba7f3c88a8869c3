import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Rejection } from '../../core/span.ts';
import type { ExecutionKey } from './execution-span.ts';
import { failureSettingsOf } from './failure-settings.ts';
import { countOrNull, idOf, objectOr, textOrNull, timeOf } from './json-fields.ts';
import { executionKeyOf, subExecutionsOf } from './sub-executions.ts';

/** One run of one node from `runData`. */
export interface NodeRun {
  node: string;
  /** Type of the node; empty if the workflow is not reported. */
  type: string;
  /** Zero-based number of earlier runs of the node. */
  runIndex: number;
  /** Position among all node runs of the execution; null on old servers. */
  executionIndex: number | null;
  /** Unix milliseconds. */
  startMs: number;
  /** Null while it runs or waits. */
  endMs: number | null;
  source: RunSource[];
  /** Items by connection type (`main`, `ai_tool`, …), output and position. */
  data: JsonObject;
  inputOverride: JsonObject;
  error: JsonObject | null;
  /** Executions of other workflows that this run started. */
  subExecutions: ExecutionKey[];
}

export interface RunSource {
  node: string;
  output: number;
  run: number;
}

export interface WorkflowNode {
  name: string;
  type: string;
  isDisabled: boolean;
  failureSettings: ReturnType<typeof failureSettingsOf>;
  parameters: Json;
}

export type Connections = ReadonlyMap<string, readonly Connection[]>;

export interface Connection {
  /** `main`, `ai_tool`, … */
  kind: string;
  /** Number of its output. */
  output: number;
  to: string;
}

/** A validated execution of n8n's public API; without `includeData` there are no runs. */
export interface Execution {
  id: string;
  workflowId: string;
  workflowName: string | null;
  mode: string;
  /** `success`, `error`, `crashed`, `canceled`, `waiting`, `running`, `new`. */
  status: string;
  startMs: number | null;
  stopMs: number | null;
  retryOf: string | null;
  nodes: ReadonlyMap<string, WorkflowNode>;
  connections: Connections;
  /** In order of execution. */
  runs: NodeRun[];
  lastNode: string | null;
  error: JsonObject | null;
  settings: WorkflowSettings;
  /** The execution that started this one; null if there is none. */
  parent: ExecutionKey | null;
}

export interface WorkflowSettings {
  /** The workflow that n8n runs if this one fails; null for none, `undefined` if the settings are not reported. */
  errorWorkflow: string | null | undefined;
  /** Seconds after which n8n cancels an execution; null for the server's own limit. */
  timeoutSeconds: number | null;
}

/** Whether a value looks like an execution of n8n's public API. */
export function isExecution(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || idOf(value.id) === null || typeof value.mode !== 'string') return false;
  return ('startedAt' in value || 'status' in value) && ('workflowId' in value || isJsonObject(value.workflowData));
}

/** The execution with its unreadable parts, or the reason why there is none. */
export function readExecution(
  value: Json,
): { execution: Execution; rejected: Rejection[]; rejectedNodes: string[] } | string {
  if (!isExecution(value)) return 'expected an execution with id, mode, startedAt and workflowId';
  const workflow = objectOr(value.workflowData);
  const workflowId = idOf(value.workflowId) ?? idOf(workflow.id);
  if (workflowId === null) return 'workflowId must be a text';
  const result = objectOr(objectOr(value.data).resultData);
  const rejected: Rejection[] = [];
  const rejectedNodes: string[] = [];
  const nodes = readNodes(workflow.nodes);
  const execution: Execution = {
    id: idOf(value.id)!,
    workflowId,
    workflowName: textOrNull(workflow.name),
    mode: value.mode as string,
    status: statusOf(value),
    startMs: timeOf(value.startedAt),
    stopMs: timeOf(value.stoppedAt),
    retryOf: idOf(value.retryOf),
    nodes,
    connections: readConnections(workflow.connections),
    runs: readRuns(objectOr(result.runData), nodes, (rejection, node) => {
      rejected.push(rejection);
      rejectedNodes.push(node);
    }).sort(byExecution),
    lastNode: textOrNull(result.lastNodeExecuted),
    error: isJsonObject(result.error) ? result.error : null,
    settings: readSettings(workflow.settings),
    parent: executionKeyOf(objectOr(value.data).parentExecution),
  };
  return { execution, rejected, rejectedNodes };
}

/** The editor writes `DEFAULT` for no error workflow, and -1 for no time limit. */
function readSettings(value: Json | undefined): WorkflowSettings {
  if (!isJsonObject(value)) return { errorWorkflow: undefined, timeoutSeconds: null };
  const errorWorkflow = textOrNull(value.errorWorkflow);
  return {
    errorWorkflow: errorWorkflow === 'DEFAULT' ? null : errorWorkflow,
    timeoutSeconds: countOrNull(value.executionTimeout) || null,
  };
}

/** Old servers have no `status`; their `finished` is false for a failure, too. */
function statusOf(value: JsonObject): string {
  if (typeof value.status === 'string') return value.status;
  if (value.finished === true) return 'success';
  if (value.waitTill != null) return 'waiting';
  return value.stoppedAt == null ? 'running' : 'error';
}

function readNodes(value: Json | undefined): Map<string, WorkflowNode> {
  const nodes = new Map<string, WorkflowNode>();
  for (const node of Array.isArray(value) ? value : []) {
    if (!isJsonObject(node) || typeof node.name !== 'string') continue;
    nodes.set(node.name, {
      name: node.name,
      type: textOrNull(node.type) ?? '',
      isDisabled: node.disabled === true,
      failureSettings: failureSettingsOf(node),
      parameters: node.parameters ?? null,
    });
  }
  return nodes;
}

/** `{From: {main: [[{node: "To", type, index}]]}}`; an unconnected output is an empty list or null. */
function readConnections(value: Json | undefined): Connections {
  const connections = new Map<string, Connection[]>();
  for (const [from, byKind] of Object.entries(objectOr(value))) {
    const edges = Object.entries(objectOr(byKind)).flatMap(([kind, outputs]) =>
      (Array.isArray(outputs) ? outputs : []).flatMap((targets, output) =>
        (Array.isArray(targets) ? targets : [targets]).flatMap((target) =>
          isJsonObject(target) && typeof target.node === 'string' ? [{ kind, output, to: target.node }] : [],
        ),
      ),
    );
    connections.set(from, edges);
  }
  return connections;
}

function readRuns(
  runData: JsonObject,
  nodes: Execution['nodes'],
  reject: (rejection: Rejection, node: string) => void,
): NodeRun[] {
  const runs: NodeRun[] = [];
  for (const [node, list] of Object.entries(runData)) {
    for (const [runIndex, value] of (Array.isArray(list) ? list : [list]).entries()) {
      const run = readRun(node, nodes.get(node)?.type ?? '', runIndex, value);
      if (run !== null) runs.push(run);
      else reject({ pointer: runPointer(node, runIndex), message: 'a node run needs a startTime' }, node);
    }
  }
  return runs;
}

function runPointer(node: string, runIndex: number): string {
  const escaped = node.replaceAll('~', '~0').replaceAll('/', '~1');
  return `/data/resultData/runData/${escaped}/${runIndex}`;
}

function readRun(node: string, type: string, runIndex: number, value: Json): NodeRun | null {
  const startMs = isJsonObject(value) ? timeOf(value.startTime) : null;
  if (!isJsonObject(value) || startMs === null) return null;
  const hasEnded = value.executionStatus !== 'running' && value.executionStatus !== 'waiting';
  return {
    node,
    type,
    runIndex,
    executionIndex: countOrNull(value.executionIndex),
    startMs,
    endMs: hasEnded ? startMs + (countOrNull(value.executionTime) ?? 0) : null,
    source: (Array.isArray(value.source) ? value.source : []).flatMap(readSource),
    data: objectOr(value.data),
    inputOverride: objectOr(value.inputOverride),
    error: isJsonObject(value.error) ? value.error : null,
    subExecutions: subExecutionsOf(value, type),
  };
}

/** Numbers are omitted if they are 0; an unused input is null. */
function readSource(value: Json): RunSource[] {
  if (!isJsonObject(value) || typeof value.previousNode !== 'string') return [];
  const output = countOrNull(value.previousNodeOutput) ?? 0;
  return [{ node: value.previousNode, output, run: countOrNull(value.previousNodeRun) ?? 0 }];
}

/** The keys of `runData` are unordered: the execution index orders them, else the start time. */
function byExecution(a: NodeRun, b: NodeRun): number {
  if (a.executionIndex !== null && b.executionIndex !== null) return a.executionIndex - b.executionIndex;
  return a.startMs - b.startMs;
}
