import type { Json, JsonObject } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import { parseLooseTime } from '../../core/rfc3339.ts';
import type { Decoded, Span } from '../../core/span.ts';
import { isCronRun, runAtOf, sessionOfCronRun } from './cron-run.ts';
import { cronSpans } from './cron-spans.ts';
import { type Session, transcriptSpans } from './event-spans.ts';
import { hookSpans } from './hook-spans.ts';
import { isPluginHook } from './plugin-hook.ts';
import { trajectorySpans } from './trajectory-spans.ts';
import { isBatch, isEntry, isTrajectoryEvent, readEntries, type TranscriptEntry } from './transcript-entry.ts';

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
  const { entries, rejected } = readEntries(value);
  const sessions = new Map<string, Session>();
  const spans: Span[] = [];
  let current: string | null = null;
  for (const entry of entries) {
    if (entry.event.type === 'session') current = entry.sessionId ?? (entry.event.id as string);
    const atMs = timeOf(entry, receivedAtMs);
    const isCron = atMs !== null && isCronRun(entry.event);
    const { id: sessionId, key } = isCron
      ? sessionOfCronRun(entry.event, atMs)
      : { id: entry.sessionId ?? current, key: entry.sessionKey };
    if (sessionId === null || sessionId.length > 128 || atMs === null) {
      const message = atMs === null ? 'timestamp must be an RFC 3339 time' : 'its session is not known';
      rejected.push({ pointer: entry.pointer, message });
      continue;
    }
    const session = sessionOf(sessions, sessionId, key);
    for (const span of readerOf(entry.event)(entry.event, session, atMs)) spans.push(span);
  }
  return { spans: mergeSpans(spans), rejections: rejected };
}

function readerOf(event: JsonObject) {
  if (isPluginHook(event)) return hookSpans;
  if (isCronRun(event)) return cronSpans;
  return isTrajectoryEvent(event) ? trajectorySpans : transcriptSpans;
}

/** A list with a bad event is still a transcript; a list with one event among other values is not. */
function isMostlyEntries(list: readonly Json[]): boolean {
  return list.filter(isEntry).length * 2 > list.length;
}

function sessionOf(sessions: Map<string, Session>, id: string, key: string | null): Session {
  const session = sessions.get(id) ?? { id, key, agent: null, unanswered: [], hasFailedCall: false };
  session.key ??= key;
  sessions.set(id, session);
  return session;
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
