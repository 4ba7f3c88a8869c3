import type { Json, JsonObject } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import { parseLooseTime } from '../../core/rfc3339.ts';
import { type Decoded, msToNs, type Rejection, type Span } from '../../core/span.ts';
import { isCronRun, runAtOf, sessionOfCronRun } from './cron-run.ts';
import { cronSpans } from './cron-spans.ts';
import { newSession, rejectionMark, type Session, transcriptSpans } from './event-spans.ts';
import { hookSpans } from './hook-spans.ts';
import { isPluginHook } from './plugin-hook.ts';
import { trajectorySpans } from './trajectory-spans.ts';
import {
  isBatch,
  isEntry,
  isTrajectoryEvent,
  type RejectedEntry,
  readEntries,
  type TranscriptEntry,
} from './transcript-entry.ts';

/**
 * Whether a value is an event of an OpenClaw session, a row of its tables, a plugin hook, a cron run, a list or a batch of
 * them.
 */
export function isOpenClaw(value: Json | undefined): boolean {
  return Array.isArray(value) ? isMostlyEntries(value) : isEntry(value) || isBatch(value);
}

/**
 * Events of OpenClaw sessions (transcript version 4, and the JSON lines of earlier versions) as one trace per session: its
 * messages, model calls and tool calls below the session. A later batch of the same session extends the same spans. A bad
 * event only affects itself. Never throws.
 * @param receivedAtMs time of a hook call without a time of its own; 0 rejects it
 */
export function decodeOpenClaw(value: Json, receivedAtMs = 0): Decoded {
  const reading = new Reading(receivedAtMs);
  for (const entry of readEntries(value)) {
    if ('event' in entry) reading.addEntry(entry);
    else reading.rejectEntry(entry);
  }
  return reading.decoded();
}

/** The sessions of a document, read entry by entry. */
class Reading {
  readonly #receivedAtMs: number;
  readonly #sessions = new Map<string, Session>();
  readonly #spans: Span[] = [];
  readonly #rejections: Rejection[] = [];
  /** The session that the preceding `session` line of a transcript file names. */
  #current: string | null = null;

  constructor(receivedAtMs: number) {
    this.#receivedAtMs = receivedAtMs;
  }

  addEntry(entry: TranscriptEntry): void {
    const { event, pointer } = entry;
    if (event.type === 'session') this.#current = entry.sessionId ?? (event.id as string);
    const atMs = timeOf(entry, this.#receivedAtMs);
    const isCron = atMs !== null && isCronRun(event);
    const { id, key } = isCron
      ? sessionOfCronRun(event, atMs)
      : { id: entry.sessionId ?? this.#current, key: entry.sessionKey };
    if (id === null || id.length > MAX_ID_LENGTH || atMs === null) {
      const message = atMs === null ? 'timestamp must be an RFC 3339 time' : 'its session is not known';
      this.rejectEntry({ pointer, message, sessionId: id, mayBeStep: event.type === 'message' });
      return;
    }
    const session = this.#sessionOf(id);
    session.key ??= key;
    for (const span of readerOf(event)(event, session, atMs)) this.#spans.push(span);
    const atNs = msToNs(atMs);
    session.firstReadNs ??= atNs;
    if (session.readUntilNs === null || session.readUntilNs < atNs) session.readUntilNs = atNs;
  }

  rejectEntry({ pointer, message, sessionId, mayBeStep }: RejectedEntry): void {
    this.#rejections.push({ pointer, message });
    const id = sessionId ?? this.#current;
    if (!mayBeStep || id === null || id.length > MAX_ID_LENGTH) return;
    const session = this.#sessionOf(id);
    session.rejected.add(session.readUntilNs);
  }

  decoded(): Decoded {
    const marks = [...this.#sessions.values()].flatMap(rejectionMark);
    return { spans: mergeSpans([...this.#spans, ...marks]), rejections: this.#rejections };
  }

  #sessionOf(id: string): Session {
    const session = this.#sessions.get(id) ?? newSession(id);
    this.#sessions.set(id, session);
    return session;
  }
}

const MAX_ID_LENGTH = 128;

function readerOf(event: JsonObject) {
  if (isPluginHook(event)) return hookSpans;
  if (isCronRun(event)) return cronSpans;
  return isTrajectoryEvent(event) ? trajectorySpans : transcriptSpans;
}

/** A list with a bad event is still a transcript; a list with one event among other values is not. */
function isMostlyEntries(list: readonly Json[]): boolean {
  return list.filter(isEntry).length * 2 > list.length;
}

/** RFC 3339 or Unix milliseconds; hooks and cron runs may use the time of receipt. */
function timeOf({ event }: TranscriptEntry, receivedAtMs: number): number | null {
  const time = event.timestamp ?? event.ts;
  const isLate = time === undefined && (isPluginHook(event) || isCronRun(event));
  const ms = isLate
    ? (runAtOf(event) ?? receivedAtMs)
    : typeof time === 'string'
      ? (parseLooseTime(time) ?? Number.NaN)
      : time;
  return typeof ms === 'number' && ms > 0 && ms < 1e14 ? ms : null;
}
