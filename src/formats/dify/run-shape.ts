import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

/** One event in the stream of a run. */
export interface RunEvent {
  name: string;
  runId: string;
  taskId: string | null;
  conversationId: string | null;
  data: JsonObject;
}

/** Known event types; those that are irrelevant for a trace (text chunks, pings, chat messages) are not rejected. */
const EVENTS = new Set(
  (
    'workflow_started workflow_finished workflow_paused node_started node_finished node_retry iteration_started ' +
    'iteration_next iteration_completed loop_started loop_next loop_completed agent_log text_chunk text_replace ' +
    'reasoning_chunk message message_end message_replace message_file agent_message agent_thought tts_message ' +
    'tts_message_end human_input_required human_input_form_filled human_input_form_timeout parallel_branch_started ' +
    'parallel_branch_finished error ping'
  ).split(' '),
);

export function isKnownEvent(name: string): boolean {
  return EVENTS.has(name);
}

/** Whether a value looks like an event of Dify's stream. */
export function isEvent(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || typeof value.event !== 'string' || !EVENTS.has(value.event)) return false;
  return textIn(value, 'workflow_run_id', 'task_id', 'message_id') !== null || value.event === 'ping';
}

/** Whether a value looks like a finished run as one object: the blocking response, a run by its id, or an entry of the logs. */
export function isRunSummary(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && summaryOf(value) !== null;
}

/** `{id, status, elapsed_time, total_steps, …}`, at any of the sender's positions. */
export function summaryOf(value: JsonObject): JsonObject | null {
  const inner = [value.workflow_run, value.workflow_run_id === undefined ? undefined : value.data, value].find(
    isSummary,
  );
  return inner === undefined ? null : (inner as JsonObject);
}

function isSummary(value: Json | undefined): boolean {
  if (!isJsonObject(value) || typeof value.id !== 'string' || typeof value.status !== 'string') return false;
  return 'total_steps' in value && 'created_at' in value && !('event' in value);
}

/** `{page, limit, has_more, data: [summary, …]}`. */
export function isLogPage(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && Array.isArray(value.data) && value.data.some(isRunSummary);
}

/** `{events: [event, …]}`. */
export function isEventBatch(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && Array.isArray(value.events) && value.events.some(isRunEvent);
}

function isRunEvent(value: Json): boolean {
  return isEvent(value) && (value.event as string).includes('_started');
}

/** @param runOfTask run id of each task in earlier events; chat and error events name only the task */
export function readEvent(value: JsonObject, runOfTask: ReadonlyMap<string, string>): RunEvent | null {
  const data = isJsonObject(value.data) ? value.data : value;
  const taskId = textIn(value, 'task_id');
  const ownId = String(value.event).startsWith('workflow_') ? textIn(data, 'id') : null;
  const runId = textIn(value, 'workflow_run_id') ?? ownId ?? (taskId === null ? null : (runOfTask.get(taskId) ?? null));
  if (runId === null || runId.length > 128) return null;
  return { name: value.event as string, runId, taskId, conversationId: textIn(value, 'conversation_id'), data };
}

export function textIn(value: JsonObject, ...keys: string[]): string | null {
  for (const key of keys) {
    const text = value[key];
    if (typeof text === 'string' && text !== '') return text;
  }
  return null;
}

export function numberIn(value: JsonObject, ...keys: string[]): number | null {
  for (const key of keys) {
    const given = value[key];
    // Prices are sent as decimal text.
    const number = typeof given === 'string' && /^\d{1,15}(?:\.\d{1,15})?$/.test(given) ? Number(given) : given;
    if (typeof number === 'number' && number >= 0 && number < 1e15) return number;
  }
  return null;
}

export function objectIn(value: JsonObject, key: string): JsonObject {
  const inner = value[key];
  return isJsonObject(inner) ? inner : {};
}

/** Unix milliseconds; Dify sends seconds. */
export function timeIn(value: JsonObject, key: string): number | null {
  const time = numberIn(value, key);
  if (time === null || time === 0) return null;
  return time < 1e11 ? time * 1000 : time;
}
