import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { readTimestampNs } from '../trail/iso-time.ts';

/** One saved state of a thread in LangGraph, with the tasks that were started from it. */
export interface Checkpoint {
  /** RFC 6901 pointer to it in the body. */
  pointer: string;
  id: string;
  parentId: string | null;
  threadId: string | null;
  /** Namespace of its subgraph; empty for the outermost graph. */
  namespace: string;
  runId: string | null;
  graphId: string | null;
  /** -1 for the input, 0 for the state after it, then incremented by each superstep; null if unknown. */
  step: number | null;
  source: string | null;
  values: Json;
  /** Nodes to run next. */
  next: string[];
  tasks: Task[];
  /** Whether LangGraph.js wrote it, not a server or Python. */
  isOfJavaScript: boolean;
  atNs: bigint;
}

export interface Task {
  id: string;
  name: string;
  /** `undefined` if the node has not returned. */
  result: Json | undefined;
  error: Json;
  isInterrupted: boolean;
  /** Namespace of the subgraph that the task ran; null if it ran none, or none is recorded. */
  innerNamespace: string | null;
}

/** Whether a value looks like an entry of a thread's history, in the format of the server or the library. */
export function isCheckpoint(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && 'values' in value && Array.isArray(value.next) && Array.isArray(value.tasks);
}

/** The checkpoint, or the reason why it is invalid. */
export function readCheckpoint(value: Json, pointer: string): Checkpoint | string {
  if (!isCheckpoint(value)) return 'expected a checkpoint with values, next and tasks';
  const own = configOf(value.checkpoint) ?? configOf(value.config);
  const parent = configOf(value.parent_checkpoint) ?? configOf(value.parentConfig ?? value.parent_config);
  const metadata = isJsonObject(value.metadata) ? value.metadata : {};
  const id = textOf(own?.checkpoint_id) ?? textOf(value.checkpoint_id);
  if (id === null) return 'checkpoint.checkpoint_id must be a text';
  const atNs = readTimestampNs(textOf(value.created_at ?? value.createdAt) ?? '');
  if (atNs === null) return 'created_at must be an RFC 3339 time';
  return {
    pointer,
    id,
    parentId: textOf(parent?.checkpoint_id),
    threadId: textOf(own?.thread_id) ?? textOf(metadata.thread_id),
    namespace: textOf(own?.checkpoint_ns) ?? '',
    runId: textOf(metadata.run_id),
    graphId: textOf(metadata.graph_id),
    step: typeof metadata.step === 'number' ? metadata.step : null,
    source: textOf(metadata.source),
    values: value.values ?? null,
    next: (value.next as Json[]).filter((node) => typeof node === 'string'),
    tasks: (value.tasks as Json[]).flatMap(taskOf),
    atNs,
    // The server and Python's library spell these members with an underscore.
    isOfJavaScript: value.createdAt !== undefined || value.parentConfig !== undefined,
  };
}

/** The server sends the ids directly, the library under `configurable`. */
function configOf(value: Json | undefined): JsonObject | null {
  if (!isJsonObject(value)) return null;
  return isJsonObject(value.configurable) ? value.configurable : value;
}

function taskOf(value: Json): Task[] {
  if (!isJsonObject(value)) return [];
  const { id, name, interrupts } = value;
  if (typeof id !== 'string' || id === '' || id.length > 128 || typeof name !== 'string') return [];
  const isInterrupted = Array.isArray(interrupts) && interrupts.length > 0;
  const innerNamespace = textOf(configOf(value.checkpoint)?.checkpoint_ns);
  return [{ id, name, result: value.result ?? undefined, error: value.error ?? null, isInterrupted, innerNamespace }];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
