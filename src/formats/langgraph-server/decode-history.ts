import type { Json, JsonObject } from '../../core/json.ts';
import type { Decoded, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { RejectedRecords } from '../misstep/rejected-records.ts';
import { type Checkpoint, isCheckpoint, readCheckpoint, type Task } from './checkpoint.ts';
import { lineageOf, reportedCheckpoints } from './checkpoint-lineage.ts';
import { messageSpans } from './message-spans.ts';
import { errorOf, isAgentNode, jsonOf, makeSpan, runSpanId, runTraceId } from './run-span.ts';

/** Whether a value looks like a thread's history, newest first, or one state of it. */
export function isThreadHistory(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.some(isCheckpoint) : isCheckpoint(value);
}

/**
 * A thread's history (`GET /threads/{id}/history`, or the library's `getStateHistory`): one trace per run of the thread,
 * with one span per task. A task starts with its checkpoint and ends with the next one, which contains the resulting state.
 * States of subgraphs may be included: their tasks are children of the task that ran the subgraph.
 */
export function decodeThreadHistory(value: Json): Decoded {
  const decoded: Decoded = { spans: [], rejections: [] };
  const checkpoints: Checkpoint[] = [];
  const rejectedAt: number[] = [];
  const isList = Array.isArray(value);
  (isList ? value : [value]).forEach((item, at) => {
    const read = readCheckpoint(item, isList ? `/${at}` : '');
    if (typeof read !== 'string') checkpoints.push(read);
    else {
      decoded.rejections.push({ pointer: isList ? `/${at}` : '', message: read });
      rejectedAt.push(checkpoints.length);
    }
  });
  const { outer, inner } = byDepth(checkpoints);
  const lineage = lineageOf(outer);
  const rejected = rejectedAfter(checkpoints, outer, rejectedAt);
  for (const run of runsOf(outer)) {
    const [root, ...nodes] = runSpans(run, inner);
    Object.assign(root!.attributes, rejectedIn(run, rejected));
    // On the first node, because the run's own object may replace its root.
    if (nodes[0] !== undefined)
      nodes[0].attributes['langgraph.checkpoints'] = JSON.stringify(reportedCheckpoints(run.checkpoints, lineage));
    for (const span of [root!, ...nodes]) decoded.spans.push(span);
  }
  return decoded;
}

/**
 * Number of rejected checkpoints after each checkpoint of the outermost graph, and before the oldest one (key null). The run
 * of the checkpoint before a rejected one is the run whose checkpoint is missing.
 * @param checkpoints newest first
 * @param rejectedAt number of checkpoints that are newer than each rejected one, in order
 */
function rejectedAfter(
  checkpoints: readonly Checkpoint[],
  outer: readonly Checkpoint[],
  rejectedAt: readonly number[],
): ReadonlyMap<Checkpoint | null, number> {
  const isOuter = new Set(outer);
  const counts = new Map<Checkpoint | null, number>();
  let at = 0;
  for (const newer of rejectedAt) {
    at = Math.max(at, newer);
    while (at < checkpoints.length && !isOuter.has(checkpoints[at]!)) at += 1;
    const before = checkpoints[at] ?? null;
    counts.set(before, (counts.get(before) ?? 0) + 1);
  }
  return counts;
}

/** Rejected checkpoints before the oldest one count for the oldest run. */
function rejectedIn(
  { checkpoints, isOldest }: HistoryRun,
  rejected: ReadonlyMap<Checkpoint | null, number>,
): JsonObject {
  const records = new RejectedRecords();
  for (const checkpoint of [...(isOldest ? [null] : []), ...checkpoints])
    for (let count = rejected.get(checkpoint) ?? 0; count > 0; count -= 1) records.add(checkpoint?.atNs ?? null);
  return records.attributes();
}

/** Histories of subgraphs, by run and namespace, newest first; each is removed by the task it belongs to. */
type InnerHistories = Map<string, Checkpoint[]>;

/** A body without entries of the outermost graph is the history of one subgraph. */
function byDepth(checkpoints: Checkpoint[]): { outer: Checkpoint[]; inner: InnerHistories } {
  const outer = checkpoints.filter(({ namespace }) => namespace === '');
  if (outer.length === 0) return { outer: checkpoints, inner: new Map() };
  const others = checkpoints.filter(({ namespace }) => namespace !== '');
  return { outer, inner: Map.groupBy(others, ({ runId, namespace }) => innerKey(runId, namespace)) };
}

function innerKey(runId: string | null, namespace: string): string {
  return JSON.stringify([runId, namespace]);
}

/** The server names the namespace of a task only if the task succeeded; otherwise it is derived from the task. */
function removeInner({ namespace, runId }: Checkpoint, task: Task, inner: InnerHistories): Checkpoint[] {
  const own = namespace === '' ? `${task.name}:${task.id}` : `${namespace}|${task.name}:${task.id}`;
  const key = innerKey(runId, task.innerNamespace ?? own);
  const found = inner.get(key) ?? [];
  // A body in which histories refer to each other would grow without a limit.
  inner.delete(key);
  return found;
}

interface HistoryRun {
  traceId: string;
  /** Oldest first. */
  checkpoints: Checkpoint[];
  /** Whether the body contains no earlier run. */
  isOldest: boolean;
}

/** Reverses the newest-first order. A run begins with its input, or if the server names another run. */
function runsOf(newestFirst: readonly Checkpoint[]): HistoryRun[] {
  const runs: HistoryRun[] = [];
  let runId: string | null = null;
  for (const checkpoint of newestFirst.toReversed()) {
    const isNew = checkpoint.source === 'input' || checkpoint.runId !== runId;
    if (isNew || runs.length === 0)
      runs.push({ traceId: traceIdOf(checkpoint), checkpoints: [], isOldest: runs.length === 0 });
    runs.at(-1)!.checkpoints.push(checkpoint);
    runId = checkpoint.runId;
  }
  return runs;
}

function traceIdOf({ runId, threadId, id }: Checkpoint): string {
  return runId !== null ? runTraceId(runId) : derivedId(TRACE_ID_DIGITS, 'langgraph-thread', threadId ?? '', id);
}

function runSpans({ traceId, checkpoints }: HistoryRun, inner: InnerHistories): Span[] {
  const rootId = runSpanId(traceId);
  return [rootSpan(traceId, checkpoints), ...graphSpans(checkpoints, { traceId, parentId: rootId, depth: 0 }, inner)];
}

interface Place {
  traceId: string;
  parentId: string;
  /** 0 for the outermost graph. */
  depth: number;
}

/** Limit for nested subgraphs. */
const MAX_DEPTH = 20;

/** @param checkpoints oldest first */
function graphSpans(checkpoints: readonly Checkpoint[], place: Place, inner: InnerHistories): Span[] {
  const successors = new Map<string, Checkpoint>();
  for (const checkpoint of checkpoints)
    if (checkpoint.parentId !== null) successors.set(checkpoint.parentId, checkpoint);
  return checkpoints.flatMap((checkpoint) =>
    taskSpans(checkpoint, successors.get(checkpoint.id) ?? null, place, inner),
  );
}

function rootSpan(traceId: string, checkpoints: readonly Checkpoint[]): Span {
  const first = checkpoints[0]!;
  const last = checkpoints.at(-1)!;
  const failed = last.tasks.find((task) => task.error !== null);
  const { status, type } = failed === undefined ? { status: undefined, type: null } : errorOf(failed.error);
  const isFinished = last.next.length === 0;
  return makeSpan({
    traceId,
    spanId: runSpanId(traceId),
    parentSpanId: null,
    name: first.graphId ?? 'LangGraph',
    startNs: first.atNs,
    // If nodes remain, only the run's own object shows whether it waits, was stopped or continues.
    endNs: isFinished || failed !== undefined ? last.atNs : null,
    ...(status === undefined ? {} : { status }),
    attributes: {
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.framework]: 'langgraph',
      [MISSTEP.sdkLanguage]: first.isOfJavaScript ? 'nodejs' : null,
      'langgraph.run_id': first.runId,
      'langgraph.thread_id': first.threadId,
      'input.value': jsonOf(first.tasks.find((task) => task.name === '__start__')?.result),
      'output.value': isFinished ? jsonOf(last.values) : null,
      'error.type': type,
    },
  });
}

/** The tasks of one superstep result in one state, which the last of them carries. */
function taskSpans(from: Checkpoint, to: Checkpoint | null, place: Place, inner: InnerHistories): Span[] {
  const lastDone = from.tasks.findLastIndex((task) => task.error === null);
  return from.tasks.flatMap((task, at) => {
    const node = taskSpan(task, from, at === lastDone ? to : null, { ...place, endNs: endOf(task, from, to) });
    const inside = place.depth < MAX_DEPTH ? removeInner(from, task, inner).toReversed() : [];
    // The result of the subgraph is repeated as the result of the task.
    if (inside.length > 0)
      return [node, ...graphSpans(inside, { ...place, parentId: node.spanId, depth: place.depth + 1 }, inner)];
    return [node, ...messageSpans(node, task.name === '__start__' ? (task.result ?? null) : from.values, task.result)];
  });
}

function endOf(task: Task, from: Checkpoint, to: Checkpoint | null): bigint | null {
  if (to !== null) return to.atNs;
  return task.error === null && task.result === undefined ? null : from.atNs;
}

function taskSpan(
  task: Task,
  from: Checkpoint,
  left: Checkpoint | null,
  place: Place & { endNs: bigint | null },
): Span {
  const { status, type } = task.error === null ? { status: undefined, type: null } : errorOf(task.error);
  return makeSpan({
    traceId: place.traceId,
    spanId: task.id,
    parentSpanId: place.parentId,
    name: task.name,
    startNs: from.atNs,
    endNs: place.endNs,
    ...(status === undefined ? {} : { status }),
    attributes: {
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.framework]: 'langgraph',
      'langgraph.node': task.name,
      'langgraph.step': from.step === null ? null : from.step + 1,
      'langgraph.thread_id': from.threadId,
      'langgraph.checkpoint_id': place.depth === 0 ? (left?.id ?? null) : null,
      // A subgraph has a state of its own, which is not a step of the run's state.
      'langgraph.state': place.depth === 0 ? jsonOf(left?.values) : null,
      'langgraph.interrupted': task.isInterrupted ? true : null,
      'gen_ai.agent.name': isAgentNode(task.name) ? task.name : null,
      'output.value': jsonOf(task.result),
      'error.type': type,
    },
  });
}
