import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Decoded, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS } from '../misstep/derived-id.ts';
import { RejectedRecords } from '../misstep/rejected-records.ts';
import { readTimestampNs } from '../trail/iso-time.ts';
import { readEventStream, type StreamEvent } from './event-stream.ts';
import { modelAttributes } from './message-spans.ts';
import { endAfter, errorOf, isAgentNode, jsonOf, makeSpan, runSpanId, runTraceId } from './run-span.ts';

/**
 * The event stream of one run, as returned by `POST …/runs/stream`. Nodes are in `debug` events, states in `values`, model
 * texts and tokens in `messages`; a stream without `debug` only gives the run. Events of subgraphs are ignored: their node
 * represents them.
 */
export function decodeRunStream(text: string): Decoded {
  const decoded: Decoded = { spans: [], rejections: [] };
  const rejectedAt: number[] = [];
  const reject = (line: number, eventsBefore: number) => {
    decoded.rejections.push({ pointer: `line ${line}`, message: 'not JSON' });
    rejectedAt.push(eventsBefore);
  };
  const events = readEventStream(text, reject);
  const runId = textAt(events.find(({ type }) => type === 'metadata')?.data, 'run_id');
  if (runId === null || runId.length > 128) {
    decoded.rejections.push({ pointer: '', message: 'a metadata event with the run_id is needed' });
    return decoded;
  }
  const traceId = runTraceId(runId);
  const nodes = nodeSpans(events, traceId, threadOf(events));
  const root = rootSpan(events, runId, nodes);
  Object.assign(root.attributes, rejectedEvents(events, rejectedAt));
  decoded.spans.push(root, ...nodes, ...modelSpans(events, nodes));
  return decoded;
}

/** @param rejectedAt number of events before each rejected one, in order */
function rejectedEvents(events: readonly StreamEvent[], rejectedAt: readonly number[]): JsonObject {
  const records = new RejectedRecords();
  let newest: bigint | null = null;
  let read = 0;
  for (const at of rejectedAt) {
    for (; read < at; read += 1) newest = taskOf(events[read]!.data)?.atNs ?? newest;
    records.add(newest);
  }
  return records.attributes();
}

function rootSpan(events: readonly StreamEvent[], runId: string, nodes: readonly Span[]): Span {
  const traceId = runTraceId(runId);
  const values = ofOutermost(events, 'values').map(({ data }) => data);
  const failure = events.find(({ type }) => type === 'error');
  const { status, type } = failure === undefined ? { status: undefined, type: null } : errorOf(failure.data);
  const ends = nodes.map((node) => node.endNs ?? node.startNs);
  const metadata = objectAt(objectAt(ofOutermost(events, 'debug')[0]?.data, 'payload'), 'metadata');
  return makeSpan({
    traceId,
    spanId: runSpanId(traceId),
    parentSpanId: null,
    name: textAt(metadata, 'graph_id') ?? 'LangGraph',
    startNs: nodes[0]?.startNs ?? 0n,
    endNs: ends.reduce((latest, end) => (end > latest ? end : latest), 0n),
    ...(status === undefined ? {} : { status }),
    attributes: {
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.framework]: 'langgraph',
      'langgraph.run_id': runId,
      'langgraph.thread_id': threadOf(events),
      'input.value': jsonOf(values[0]),
      'output.value': failure === undefined ? jsonOf(values.at(-1)) : null,
      'error.type': type,
    },
  });
}

/** A node's span from its `task` to its `task_result`, with the state of the next `values`. */
function nodeSpans(events: readonly StreamEvent[], traceId: string, threadId: string | null): Span[] {
  const spans = new Map<string, Span>();
  let lastDone: Span | null = null;
  let checkpointId: string | null = null;
  for (const { type, path, data } of events) {
    if (path !== '') continue;
    if (type === 'checkpoints') checkpointId = textAt(data, 'id');
    if (type === 'values' && lastDone !== null) {
      Object.assign(lastDone.attributes, {
        'langgraph.state': jsonOf(data),
        ...(checkpointId && { 'langgraph.checkpoint_id': checkpointId }),
      });
      lastDone = null;
    }
    if (type !== 'debug') continue;
    const task = taskOf(data);
    if (task?.kind === 'task') spans.set(task.id, openNode(task, traceId, threadId));
    const known = task?.kind === 'task_result' ? spans.get(task.id) : undefined;
    if (task === null || known === undefined) continue;
    lastDone = closeNode(known, task);
    spans.set(task.id, lastDone);
  }
  return [...spans.values()];
}

interface TaskEvent {
  kind: string;
  id: string;
  name: string;
  atNs: bigint;
  payload: JsonObject;
}

function taskOf(data: Json): TaskEvent | null {
  const payload = objectAt(data, 'payload');
  const kind = textAt(data, 'type');
  const id = textAt(payload, 'id');
  const atNs = readTimestampNs(textAt(data, 'timestamp') ?? '');
  if (kind === null || id === null || id.length > 128 || atNs === null) return null;
  return { kind, id, name: textAt(payload, 'name') ?? '', atNs, payload };
}

function openNode({ id, name, atNs }: TaskEvent, traceId: string, threadId: string | null): Span {
  return makeSpan({
    traceId,
    spanId: id,
    parentSpanId: runSpanId(traceId),
    name,
    startNs: atNs,
    endNs: null,
    attributes: {
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.framework]: 'langgraph',
      'langgraph.node': name,
      'langgraph.thread_id': threadId,
      'gen_ai.agent.name': isAgentNode(name) ? name : null,
    },
  });
}

function closeNode(node: Span, { atNs, payload }: TaskEvent): Span {
  const failure = payload.error == null ? null : errorOf(payload.error);
  const output = jsonOf(payload.result);
  return {
    ...node,
    endNs: endAfter(node.startNs, atNs),
    status: failure?.status ?? node.status,
    attributes: {
      ...node.attributes,
      ...(output === null ? {} : { 'output.value': output }),
      ...(failure?.type ? { 'error.type': failure.type } : {}),
    },
  };
}

/** A model's answer arrives in chunks `[chunk, metadata]` under one message id; the last one contains the usage. */
function modelSpans(events: readonly StreamEvent[], nodes: readonly Span[]): Span[] {
  const answers = new Map<string, { chunks: JsonObject[]; metadata: JsonObject }>();
  for (const { type, data } of events) {
    if (type !== 'messages' || !Array.isArray(data)) continue;
    const [chunk, metadata] = data;
    const id = textAt(chunk, 'id');
    if (id === null || !isJsonObject(chunk) || !isJsonObject(metadata) || chunk.type !== 'ai') continue;
    const answer = answers.get(id) ?? { chunks: [], metadata };
    answer.chunks.push(chunk);
    answers.set(id, answer);
  }
  const nodeOf = new Map(nodes.map((node) => [node.spanId, node]));
  return [...answers].flatMap(([id, { chunks, metadata }]) => {
    const node = nodeOf.get(outermostTask(metadata));
    const attributes = modelAttributes(joinChunks(chunks));
    if (node === undefined || attributes === null) return [];
    const span = makeSpan({
      traceId: node.traceId,
      spanId: derivedId(SPAN_ID_DIGITS, node.traceId, node.spanId, 'answer', id),
      parentSpanId: node.spanId,
      name: 'chat',
      startNs: node.startNs,
      endNs: node.endNs,
      attributes: {
        ...attributes,
        'gen_ai.request.model': textAt(metadata, 'ls_model_name'),
        'gen_ai.provider.name': textAt(metadata, 'ls_provider'),
        [MISSTEP.isSpanSynthetic]: true,
        [MISSTEP.isTimeSynthetic]: true,
      },
    });
    return [span];
  });
}

/** `node:task|node:task…`, from the outermost graph inwards. A task id contains no colon. */
function outermostTask(metadata: JsonObject): string {
  const outermost = textAt(metadata, 'langgraph_checkpoint_ns')?.split('|', 1)[0] ?? '';
  return outermost.slice(outermost.lastIndexOf(':') + 1);
}

function joinChunks(chunks: readonly JsonObject[]): JsonObject {
  const content = chunks.map((chunk) => textAt(chunk, 'content') ?? '').join('');
  return { ...chunks[0], ...chunks.findLast((chunk) => isJsonObject(chunk.usage_metadata)), content };
}

function ofOutermost(events: readonly StreamEvent[], type: string): StreamEvent[] {
  return events.filter((event) => event.type === type && event.path === '');
}

function threadOf(events: readonly StreamEvent[]): string | null {
  for (const { type, data } of events) {
    const metadata =
      type === 'messages' && Array.isArray(data) ? data[1] : objectAt(objectAt(data, 'payload'), 'metadata');
    const threadId = textAt(metadata, 'thread_id');
    if (threadId !== null) return threadId;
  }
  return null;
}

function objectAt(value: Json | undefined, key: string): JsonObject {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : {};
}

function textAt(value: Json | undefined, key: string): string | null {
  const found = isJsonObject(value) ? value[key] : undefined;
  return typeof found === 'string' && found !== '' ? found : null;
}
