import { PLACEHOLDER_ERROR, writtenError } from '../../core/decoder-error.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { type Decoded, msToNs, type Span, type SpanLink, type SpanStatus } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { RejectedRecords } from '../misstep/rejected-records.ts';
import { declaredGraph } from './declared-graph.ts';
import { type Execution, type NodeRun, readExecution } from './execution-shape.ts';
import { type ExecutionKey, executionRootId, makeSpan, textOf } from './execution-span.ts';
import { firstItem, hasData, itemsOut } from './items.ts';
import { objectOr, textOrNull } from './json-fields.ts';
import { readNodeError } from './node-error.ts';
import { isEntryType, isStartWithoutRequest, kindOf } from './node-kind.ts';
import { nodeSpan } from './node-span.ts';
import { executionKeyOf, executionLink } from './sub-executions.ts';

/**
 * One execution of n8n's public API as one trace: the execution, below it its node runs, and below AI nodes their models
 * and tools. Without `includeData` it is only the execution. A run of an error workflow is marked by `n8n.mode` and linked
 * to the failed execution, whose error it does not repeat.
 */
export function decodeExecution(value: Json): Decoded {
  const read = readExecution(value);
  if (typeof read === 'string') return { spans: [], rejections: [{ pointer: '', message: read }] };
  const { execution, rejected, rejectedNodes } = read;
  const key = { workflowId: execution.workflowId, executionId: execution.id };
  const runs = new Map(execution.runs.map((run) => [`${run.runIndex} ${run.node}`, run]));
  const runOf = (node: string, runIndex: number) => runs.get(`${runIndex} ${node}`) ?? null;
  const nodes = [...execution.runs, ...openRuns(execution)].map((run) => nodeSpan(run, execution, key, runOf));
  const root = rootSpan(execution, key);
  Object.assign(root.attributes, rejectedRuns(execution, rejectedNodes));
  return { spans: [root, ...nodes], rejections: rejected };
}

/** A rejected run has no time: it may lie anywhere before the last node, or be the run of that node. */
function rejectedRuns({ runs, lastNode }: Execution, nodes: readonly string[]): JsonObject {
  const records = new RejectedRecords();
  const [untilEnd, beforeLast] = [lastEndMs(runs), lastEndMs(runs.slice(0, -1))];
  for (const node of nodes) {
    const endMs = node === lastNode ? untilEnd : beforeLast;
    records.add(endMs === null ? null : msToNs(endMs));
  }
  return records.attributes();
}

function rootSpan(execution: Execution, key: ExecutionKey): Span {
  const graph = declaredGraph(execution);
  const startMs = execution.startMs ?? execution.runs[0]?.startMs ?? execution.stopMs ?? 0;
  // A crash records no end time.
  const endMs = hasEnded(execution) ? (execution.stopMs ?? lastEndMs(execution.runs) ?? startMs) : null;
  const trigger = execution.runs.find(({ node }) => isEntryType(execution.nodes.get(node)?.type ?? ''));
  const item = trigger === undefined ? {} : firstItem(trigger, 'main');
  const failed = readNodeError(execution.error, false, endMs ?? startMs);
  return makeSpan(
    key,
    'chain',
    {
      spanId: executionRootId(key),
      parentSpanId: null,
      name: execution.workflowName ?? `workflow ${execution.workflowId}`,
      startNs: msToNs(startMs),
      endNs: endMs === null ? null : msToNs(Math.max(endMs, startMs)),
      status: failed.status.code === 2 ? failed.status : statusOf(execution),
      links: linksOf(item, execution),
    },
    {
      [MISSTEP.recordId]: execution.id,
      [MISSTEP.task]: textOrNull(item.chatInput),
      [MISSTEP.sessionId]: textOrNull(item.sessionId),
      'input.value': hasRequest(execution, trigger) ? textOf(item) : null,
      'output.value': outputOf(execution),
      'graphruntime.graph': graph === null ? null : JSON.stringify(graph),
      'n8n.workflow.id': execution.workflowId,
      'n8n.mode': execution.mode,
      'n8n.status': execution.status,
      'n8n.retry_of': execution.retryOf,
      ...failed.attributes,
    },
  );
}

function hasRequest({ mode, nodes }: Execution, trigger: NodeRun | undefined): boolean {
  return mode !== 'error' && trigger !== undefined && !isStartWithoutRequest(nodes.get(trigger.node)?.type ?? '');
}

const OPEN = new Set(['running', 'waiting', 'new']);

function hasEnded({ status }: Execution): boolean {
  return !OPEN.has(status);
}

function lastEndMs(runs: readonly NodeRun[]): number | null {
  return runs.reduce<number | null>((last, { endMs }) => (endMs !== null && endMs > (last ?? 0) ? endMs : last), null);
}

function statusOf(execution: Execution): SpanStatus {
  const { status } = execution;
  if (status === 'success') return { code: 1, message: '' };
  if (status === 'error') return { code: 2, message: PLACEHOLDER_ERROR.n8nExecutionWithoutData };
  if (status === 'crashed') return { code: 2, message: writtenError('n8nCrash') };
  return timeoutOf(execution) ?? { code: 0, message: '' };
}

/** The timeout of a cancelled execution that ran as long as allowed, whatever error n8n stored. */
function timeoutOf(execution: Execution): SpanStatus | null {
  const { status, startMs, stopMs, settings } = execution;
  if (status !== 'canceled' || startMs === null || stopMs === null || settings.timeoutSeconds === null) return null;
  if (stopMs - startMs < 1000 * settings.timeoutSeconds) return null;
  const open = openNode(execution);
  const { timeoutSeconds } = settings;
  const message =
    open === null ? writtenError('n8nTimeout', timeoutSeconds) : writtenError('n8nTimeoutIn', timeoutSeconds, open);
  return { code: 2, message };
}

/** The run of the node that a time limit interrupted. n8n stores none: it began after the last stored one, and has no end. */
function openRuns(execution: Execution): NodeRun[] {
  const node = timeoutOf(execution) === null ? null : openNode(execution);
  if (node === null) return [];
  const { runs, lastNode, nodes, startMs } = execution;
  const before = runs.findLast((run) => run.node === lastNode);
  return [
    {
      node,
      type: nodes.get(node)?.type ?? '',
      runIndex: 0,
      executionIndex: before?.executionIndex == null ? null : before.executionIndex + 1,
      startMs: lastEndMs(runs) ?? startMs!,
      endMs: null,
      source: before === undefined ? [] : [{ node: before.node, output: 0, run: before.runIndex }],
      data: {},
      inputOverride: {},
      error: null,
      subExecutions: [],
    },
  ];
}

/**
 * The node that n8n was running, which it does not store: the only one after the last finished node. Null if there are
 * several.
 */
function openNode({ runs, lastNode, connections }: Execution): string | null {
  const ran = new Set(runs.map(({ node }) => node));
  const next = (connections.get(lastNode ?? '') ?? []).filter(({ kind, to }) => kind === 'main' && !ran.has(to));
  return next.length === 1 ? next[0]!.to : null;
}

const ANSWERING_KINDS: ReadonlySet<StepKind> = new Set(['agent', 'llm', 'chain']);

/** The output of the last node, if it is a model's answer; only the node shows rows and receipts. */
function outputOf(execution: Execution): string | null {
  const { runs, lastNode, status } = execution;
  const last = runs.findLast(({ node }) => node === lastNode);
  if (last === undefined || status !== 'success' || !ANSWERING_KINDS.has(kindOf(last, execution))) return null;
  const items = itemsOut(last, 'main');
  return hasData(items) ? textOf(items.value) : null;
}

/** An error workflow's trigger names the failed execution; a sub-workflow's data names the execution that started it. */
function linksOf(item: JsonObject, { mode, parent }: Execution): SpanLink[] {
  const failed = executionKeyOf({
    executionId: objectOr(item.execution).id ?? null,
    workflowId: objectOr(item.workflow).id ?? null,
  });
  if (failed !== null) return [executionLink(failed, 'failed_execution')];
  if (parent === null) return [];
  return [executionLink(parent, mode === 'error' ? 'failed_execution' : 'parent_execution')];
}
