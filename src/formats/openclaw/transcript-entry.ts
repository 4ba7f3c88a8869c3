import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { isCronRun } from './cron-run.ts';
import { DAMAGED_EVENT, unpackHexEvent } from './packed-event.ts';
import { isPluginHook, readPluginHook, sessionOfHook } from './plugin-hook.ts';
import { textIn } from './text-in.ts';

/** One event of a session's transcript or trajectory, with facts about the session. */
export interface TranscriptEntry {
  /** RFC 6901 pointer into the document. */
  pointer: string;
  event: JsonObject;
  /** Null for a line of a transcript file: its preceding `session` line names the session. */
  sessionId: string | null;
  sessionKey: string | null;
}

/** A part of the document that is rejected. */
export interface RejectedEntry {
  pointer: string;
  message: string;
  /** The session that the part belongs to, if the document names it. */
  sessionId: string | null;
  /** Whether it may contain a message or a call of the session. An event of another type does not. */
  mayBeStep: boolean;
}

export type ReadEntry = TranscriptEntry | RejectedEntry;

const TRANSCRIPT_TYPES = new Set([
  'session',
  'message',
  'model_change',
  'thinking_level_change',
  'custom',
  'custom_message',
  'compaction',
  'reset',
  'branch_summary',
  'label',
  'session_info',
]);

export function isTranscriptEvent(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || typeof value.id !== 'string' || !('timestamp' in value)) return false;
  if (!TRANSCRIPT_TYPES.has(String(value.type)) || 'hook_event_name' in value) return false;
  if (value.type === 'message') return isJsonObject(value.message) && typeof value.message.role === 'string';
  return value.type !== 'session' || 'version' in value;
}

export function isTrajectoryEvent(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && value.traceSchema === 'openclaw-trajectory' && typeof value.type === 'string';
}

/** A row of the tables `transcript_events` and `trajectory_runtime_events`. */
function isRow(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && typeof value.session_id === 'string' && 'event_json' in value && 'seq' in value;
}

export function isEntry(value: Json | undefined): value is JsonObject {
  return (
    isTranscriptEvent(value) || isTrajectoryEvent(value) || isRow(value) || isPluginHook(value) || isCronRun(value)
  );
}

/** `{session: {id, key}, events: […]}`, `{session_id, session_key, events: […]}`, or a dump of the tables by name. */
export function isBatch(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && listsOf(value).some(({ list }) => list.some(isEntry));
}

/** The table of facts about runs. Their messages are in the other lists. */
const TRAJECTORY = 'trajectory_runtime_events';
const LISTS = ['events', 'transcript_events', TRAJECTORY];

function listsOf(value: JsonObject): { name: string; list: Json[] }[] {
  return LISTS.flatMap((name) => {
    const list = value[name];
    return Array.isArray(list) ? [{ name, list }] : [];
  });
}

/** The entries of a document and its rejected parts; those of a list of rows in the order of the session. */
export function readEntries(value: Json): ReadEntry[] {
  if (Array.isArray(value)) return entriesOf(value, '', () => null, null);
  if (isEntry(value)) return [readEntry(value, '', () => null, null)];
  if (!isBatch(value))
    return [{ pointer: '', message: "expected events of OpenClaw's sessions", sessionId: null, mayBeStep: false }];
  const keyOf = sessionKeys(value);
  const sessionId = textIn(value, 'session_id', 'sessionId') ?? textIn(sessionOf(value), ...ID_NAMES);
  return listsOf(value).flatMap(({ name, list }) => {
    const read = entriesOf(list, `/${name}`, keyOf, sessionId);
    return name === TRAJECTORY
      ? read.map((entry) => ('event' in entry ? entry : { ...entry, mayBeStep: false }))
      : read;
  });
}

const ID_NAMES = ['id', 'session_id', 'sessionId'];
const KEY_NAMES = ['key', 'session_key', 'sessionKey'];

function sessionOf({ session }: JsonObject): JsonObject {
  return isJsonObject(session) ? session : {};
}

type KeyOf = (sessionId: string | null) => string | null;

/** A query without ORDER BY may return a session's rows in any order. */
function entriesOf(list: readonly Json[], pointer: string, keyOf: KeyOf, sessionId: string | null): ReadEntry[] {
  const read = list.map((value, at) => ({
    seq: isRow(value) && typeof value.seq === 'number' ? value.seq : 0,
    entry: readEntry(value, `${pointer}/${at}`, keyOf, sessionId),
  }));
  return read.sort((a, b) => a.seq - b.seq).map(({ entry }) => entry);
}

function readEntry(value: Json, pointer: string, keyOf: KeyOf, sessionOfBatch: string | null): ReadEntry {
  const row = isRow(value) ? value : null;
  const event = row === null ? value : eventOf(row);
  if (row === null && isPluginHook(event)) {
    const { id, key } = sessionOfHook(readPluginHook(event));
    const known = id ?? sessionOfBatch ?? key;
    return { pointer, event, sessionId: known, sessionKey: key ?? keyOf(known) };
  }
  if (row === null && isCronRun(event)) return { pointer, event, sessionId: null, sessionKey: null };
  if (!isTranscriptEvent(event) && !isTrajectoryEvent(event)) {
    const message = row === null ? 'no event of a session' : refusalOf(row);
    const sessionId = row === null ? sessionOfBatch : (row.session_id as string);
    return { pointer, message, sessionId, mayBeStep: !isJsonObject(event) || event.type === 'message' };
  }
  const sessionId = row === null ? (textIn(event, 'sessionId') ?? sessionOfBatch) : (row.session_id as string);
  const sessionKey =
    textIn(event, 'sessionKey') ?? (row === null ? null : textIn(row, 'session_key')) ?? keyOf(sessionId);
  return { pointer, event, sessionId, sessionKey };
}

function eventOf(row: JsonObject): Json | undefined {
  const { event_json: event, event_zstd: packed } = row;
  if (event === null && typeof packed === 'string') return parseJson(unpackHexEvent(packed) ?? '');
  return typeof event === 'string' ? parseJson(event) : event;
}

function refusalOf({ event_json: event, event_zstd: packed }: JsonObject): string {
  if (event !== null) return 'no event of a session';
  if (packed === DAMAGED_EVENT) return 'the compressed event is damaged or larger than 4 MiB';
  return packed === undefined
    ? 'the event is compressed: read the database file itself, or export hex(event_zstd) AS event_zstd'
    : 'event_zstd is not a compressed event in hexadecimal';
}

/** The batch's own key, else those of a dump's `session_windows`. */
function sessionKeys(value: JsonObject): KeyOf {
  const own = textIn(value, 'session_key', 'sessionKey') ?? textIn(sessionOf(value), ...KEY_NAMES);
  const windows = Array.isArray(value.session_windows) ? value.session_windows.filter(isJsonObject) : [];
  const keys = new Map(windows.map((window) => [window.session_id ?? null, textIn(window, 'session_key')]));
  return (sessionId) => own ?? keys.get(sessionId) ?? null;
}
