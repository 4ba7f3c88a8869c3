import type { Json } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Decoded, Span } from '../../core/span.ts';
import { type Session, transcriptSpans } from './event-spans.ts';
import { trajectorySpans } from './trajectory-spans.ts';
import { isBatch, isEntry, isTrajectoryEvent, readEntries, type TranscriptEntry } from './transcript-entry.ts';

/** Whether a value is an event of an OpenClaw session, a row of its tables, a list of either, or a batch of them. */
export function isOpenClaw(value: Json | undefined): boolean {
  return Array.isArray(value) ? isMostlyEntries(value) : isEntry(value) || isBatch(value);
}

/**
 * Events of OpenClaw sessions (transcript version 4, and the JSON lines of versions before) as one trace a session: its
 * messages, model calls and tool calls below the session. A later batch of the same session adds to the same spans.
 * A bad event costs only itself. Never throws.
 */
export function decodeOpenClaw(value: Json): Decoded {
  const { entries, refused } = readEntries(value);
  const sessions = new Map<string, Session>();
  const spans: Span[] = [];
  let current: string | null = null;
  for (const entry of entries) {
    if (entry.event.type === 'session') current = entry.sessionId ?? (entry.event.id as string);
    const sessionId = entry.sessionId ?? current;
    const atMs = timeOf(entry);
    if (sessionId === null || sessionId.length > 128 || atMs === null) {
      const message = atMs === null ? 'timestamp must be an RFC 3339 time' : 'its session is not known';
      refused.push({ pointer: entry.pointer, message });
      continue;
    }
    const session = sessionOf(sessions, sessionId, entry.sessionKey);
    const read = isTrajectoryEvent(entry.event) ? trajectorySpans : transcriptSpans;
    for (const span of read(entry.event, session, atMs)) spans.push(span);
  }
  return { spans: mergeSpans(spans), refusals: refused };
}

/** A list with a bad event in it is still a transcript; one with an event among other things is not. */
function isMostlyEntries(list: readonly Json[]): boolean {
  return list.filter(isEntry).length * 2 > list.length;
}

function sessionOf(sessions: Map<string, Session>, id: string, key: string | null): Session {
  const session = sessions.get(id) ?? { id, key, unanswered: [], hasFailedCall: false };
  session.key ??= key;
  sessions.set(id, session);
  return session;
}

/** RFC 3339 or Unix milliseconds. */
function timeOf({ event }: TranscriptEntry): number | null {
  const said = event.timestamp ?? event.ts;
  const ms = typeof said === 'string' ? Date.parse(said) : said;
  return typeof ms === 'number' && ms > 0 && ms < 1e14 ? ms : null;
}
