import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Message } from '../../core/trace.ts';
import { jsonOrText } from './attribute-values.ts';
import { firstUserContent, lastContent, looksLikeMessages, readMessages } from './messages.ts';

/** A span's input or output, independent of the sent form. */
export interface IoValue {
  json: Json;
  messages: Message[];
  /** The text in it: the last message, the only text field, or the value as it was sent. */
  text: string;
  /** The request, if this is the input of a run. */
  task: string | undefined;
}

export function readIoValue(raw: Json): IoValue {
  const json = typeof raw === 'string' ? jsonOrText(raw) : raw;
  const messages = messagesIn(json);
  if (messages.length > 0) {
    return { json, messages, text: lastContent(messages), task: firstUserContent(messages) ?? taskIn(json) };
  }
  const taskText = taskIn(json);
  return { json, messages, text: textOf(json, raw), task: taskText };
}

function messagesIn(json: Json): Message[] {
  const body = isJsonObject(json) ? unwrapMessages(json) : json;
  return looksLikeMessages(body) ? readMessages(body) : [];
}

/** LangChain nests an answer as `{output: message}`, a model's as `{generations: [[{message}]]}`. */
function unwrapMessages(json: JsonObject): Json {
  if (json.messages !== undefined) return json.messages;
  if (isJsonObject(json.update)) return json.update.messages ?? null;
  if (looksLikeMessages(json.output)) return json.output as Json;
  const generation = Array.isArray(json.generations) ? json.generations.flat(1)[0] : undefined;
  if (isJsonObject(generation) && isJsonObject(generation.message)) return generation.message;
  if (Array.isArray(json.choices) && isJsonObject(json.choices[0])) return json.choices[0].message ?? null;
  return json;
}

const TASK_FIELDS = [
  'task',
  'input',
  'query',
  'question',
  'prompt',
  'goal',
  'topic',
  'user_input',
  'request',
  'message',
];
const ANSWER_FIELDS = [
  'output',
  'outputs',
  'answer',
  'result',
  'response',
  'text',
  'content',
  'final_answer',
  'final_output',
];

function taskIn(json: Json): string | undefined {
  if (typeof json === 'string') return json === '' ? undefined : json;
  if (!isJsonObject(json)) return undefined;
  return firstTextField(json, TASK_FIELDS) ?? taskInArguments(json);
}

/** Traced functions send `{args, kwargs}`. */
function taskInArguments(json: JsonObject): string | undefined {
  if (isJsonObject(json.kwargs)) return firstTextField(json.kwargs, TASK_FIELDS);
  return isJsonObject(json.inputs) ? firstTextField(json.inputs, TASK_FIELDS) : undefined;
}

function firstTextField(json: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = json[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function textOf(json: Json, raw: Json): string {
  if (typeof json === 'string') return json;
  if (isJsonObject(json)) {
    if (isEmptyCall(json)) return '';
    const keys = Object.keys(json);
    const only = keys.length === 1 ? json[keys[0] as string] : undefined;
    if (
      typeof only === 'string' &&
      (TASK_FIELDS.includes(keys[0] as string) || ANSWER_FIELDS.includes(keys[0] as string))
    ) {
      return only;
    }
  }
  return typeof raw === 'string' ? raw : JSON.stringify(raw);
}

function isEmptyCall(json: JsonObject): boolean {
  const { args, kwargs } = json;
  return Array.isArray(args) && args.length === 0 && isJsonObject(kwargs) && Object.keys(kwargs).length === 0;
}

/** Arguments of a call: a traced function's `{args, kwargs}` and LangChain's `{inputs}` are unwrapped. */
export function unwrapArguments(json: Json): Json {
  if (!isJsonObject(json)) return json;
  if (isJsonObject(json.inputs)) return json.inputs;
  if (!Array.isArray(json.args) || !isJsonObject(json.kwargs)) return json;
  if (json.args.length === 0) return json.kwargs;
  return Object.keys(json.kwargs).length === 0 ? json.args : { args: json.args, kwargs: json.kwargs };
}
