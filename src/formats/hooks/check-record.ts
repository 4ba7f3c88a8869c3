import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Rejection } from '../../core/span.ts';
import { isUnnamedHook } from './agents/hook-dialects.ts';
import { timeOf } from './hook-event.ts';

type Check = readonly [is: (value: Json) => boolean, message: string];

const isText = (value: Json) => typeof value === 'string';
const isCount = (value: Json) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const TEXT: Check = [isText, 'must be a text'];
const COUNT: Check = [isCount, 'must be an integer of at least 0'];

/** Types of the documented members; null and omitted are equivalent. */
const MEMBERS: Readonly<Record<string, Check>> = {
  timestamp: [(value) => timeOf(value) !== null, 'must be an RFC 3339 time, Unix seconds or Unix milliseconds'],
  tool_name: TEXT,
  hook_type: TEXT,
  working_dir: TEXT,
  trace_type: TEXT,
  model: TEXT,
  tokens_in: COUNT,
  tokens_out: COUNT,
  cost_usd: [(value) => typeof value === 'number' && value >= 0, 'must be a number of at least 0'],
};

const MAX_SESSION_ID_LENGTH = 512;

/**
 * Errors of a record, as RFC 6901 pointers below `at`. In our own format every documented member is checked; in an agent's
 * own format only the session, because the other members belong to the vendor.
 */
export function errorsOf(record: Json, at: string): Rejection[] {
  if (!isJsonObject(record)) return [{ pointer: at, message: 'must be an object' }];
  if (isUnnamedHook(record)) return [];
  const errors = sessionErrors(record, at);
  if (isNativeHook(record)) return errors;
  for (const [name, [is, message]] of Object.entries(MEMBERS)) {
    const value = record[name];
    if (value !== undefined && value !== null && !is(value)) errors.push({ pointer: `${at}/${name}`, message });
  }
  if (errors.length === 0 && !hasEvent(record))
    errors.push({
      pointer: `${at}/hook_type`,
      message: 'the event is missing: give hook_type, tool_name or model',
    });
  return errors;
}

/** Whether a coding agent itself sent the record: its event is in `hook_event_name`, or only its members identify it. */
export function isNativeHook(record: Json): boolean {
  return (isJsonObject(record) && isText(record.hook_event_name ?? null)) || isUnnamedHook(record);
}

function sessionErrors(record: JsonObject, at: string): Rejection[] {
  const name =
    record.session_id === undefined && record.conversation_id !== undefined ? 'conversation_id' : 'session_id';
  const id = record[name];
  if (typeof id === 'string' && id !== '' && id.length <= MAX_SESSION_ID_LENGTH) return [];
  return [{ pointer: `${at}/${name}`, message: `must be a text of 1 to ${MAX_SESSION_ID_LENGTH} characters` }];
}

function hasEvent({ hook_type, tool_name, model }: JsonObject): boolean {
  return [hook_type, tool_name, model].some((value) => typeof value === 'string' && value !== '');
}
