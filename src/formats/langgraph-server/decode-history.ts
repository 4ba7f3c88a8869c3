import type { Json } from '../../core/json.ts';
import type { Decoded, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { type Checkpoint, isCheckpoint, readCheckpoint, type Task } from './checkpoint.ts';
import { messageSpans } from './message-spans.ts';
import { errorOf, isAgentNode, jsonOf, makeSpan, runSpanId, runTraceId } from './run-span.ts';

/** Whether a value looks like a thread's history, newest first, or one state of it. */
export function isThreadHistory(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.some(isCheckpoint) : isCheckpoint(value);
}

/**
 * A thread's history (`GET /threads/{id}/history`, or the library's `getStateHistory`): a trace for each run of the
 * thread, with a span for each task. A task begins with the checkpoint it was started from and ends with the next one,
 * which holds the state it left.
 */
export function decodeThreadHistory(value: Json): Decoded {
  const decoded: Decoded = { spans: [], refusals: [] };
  const checkpoints: Checkpoint[] = [];
  const isList = Array.isArray(value);
  (isList ? value : [value]).forEach((item, at) => {
    const read = readCheckpoint(item, isList ? `/${at}` : '');
    if (typeof read === 'string') decoded.refusals.push({ pointer: isList ? `/${at}` : '', message: read });
    else checkpoints.push(read);
  });
  for (const run of runsOf(checkpoints)) for (const span of runSpans(run)) decoded.spans.push(span);
  return decoded;
}

interface HistoryRun {
  traceId: string;
  /** Oldest first. */
  checkpoints: Checkpoint[];
}

/** Newest first is turned round; a run begins with its input, or where the server names another run. */
function runsOf(newestFirst: readonly Checkpoint[]): HistoryRun[] {
  const runs: HistoryRun[] = [];
  let runId: string | null = null;
  for (const checkpoint of newestFirst.toReversed()) {
    const isNew = checkpoint.source === 'input' || checkpoint.runId !== runId;
    if (isNew || runs.length === 0) runs.push({ traceId: traceIdOf(checkpoint), checkpoints: [] });
    runs.at(-1)!.checkpoints.push(checkpoint);
    runId = checkpoint.runId;
  }
  return runs;
}

function traceIdOf({ runId, threadId, id }: Checkpoint): string {
  return runId !== null ? runTraceId(runId) : derivedId(TRACE_ID_DIGITS, 'langgraph-thread', threadId ?? '', id);
}

function runSpans({ traceId, checkpoints }: HistoryRun): Span[] {
  const successors = new Map<string, Checkpoint>();
  for (const checkpoint of checkpoints)
    if (checkpoint.parentId !== null) successors.set(checkpoint.parentId, checkpoint);
  const rootId = runSpanId(traceId);
  const inside = checkpoints.flatMap((checkpoint) =>
    taskSpans(checkpoint, successors.get(checkpoint.id) ?? null, traceId, rootId),
  );
  return [rootSpan(traceId, checkpoints), ...inside];
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
    // Where nodes are left to do, only the run's own object can tell whether it waits, was stopped or goes on.
    endNs: isFinished || failed !== undefined ? last.atNs : null,
    ...(status === undefined ? {} : { status }),
    attributes: {
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.framework]: 'langgraph',
      'langgraph.run_id': first.runId,
      'langgraph.thread_id': first.threadId,
      'input.value': jsonOf(first.tasks.find((task) => task.name === '__start__')?.result),
      'output.value': isFinished ? jsonOf(last.values) : null,
      'error.type': type,
    },
  });
}

/** What tasks left in one superstep is one state: the last of them carries it. */
function taskSpans(from: Checkpoint, to: Checkpoint | null, traceId: string, rootId: string): Span[] {
  const lastDone = from.tasks.findLastIndex((task) => task.error === null);
  return from.tasks.flatMap((task, at) => {
    const node = taskSpan(task, from, at === lastDone ? to : null, { traceId, rootId, endNs: endOf(task, from, to) });
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
  run: { traceId: string; rootId: string; endNs: bigint | null },
): Span {
  const { status, type } = task.error === null ? { status: undefined, type: null } : errorOf(task.error);
  return makeSpan({
    traceId: run.traceId,
    spanId: task.id,
    parentSpanId: run.rootId,
    name: task.name,
    startNs: from.atNs,
    endNs: run.endNs,
    ...(status === undefined ? {} : { status }),
    attributes: {
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.framework]: 'langgraph',
      'langgraph.node': task.name,
      'langgraph.step': from.step === null ? null : from.step + 1,
      'langgraph.thread_id': from.threadId,
      'langgraph.checkpoint_id': left?.id ?? null,
      'langgraph.state': jsonOf(left?.values),
      'langgraph.interrupted': task.isInterrupted ? true : null,
      'gen_ai.agent.name': isAgentNode(task.name) ? task.name : null,
      'output.value': jsonOf(task.result),
      'error.type': type,
    },
  });
}
