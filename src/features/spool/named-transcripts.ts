import { isJsonObject, parseJson } from '../../core/json.ts';
import { agentOfContentType } from './hook-content-type.ts';
import type { SpoolEntry } from './spool-entry.ts';

/** A transcript that a hook call of this machine named. */
export interface NamedTranscript {
  path: string;
  sessionId: string;
  /** Only the last turn is new: the session continues. */
  isTurn: boolean;
  receivedAtMs: number;
}

const MAX_RECORD_LENGTH = 1024 * 1024;

/**
 * Transcripts of the sessions that stopped or ended, each once. Only hook calls of Claude Code that went through
 * `misstep ingest` count: a record that came over the network must not name files of this machine.
 */
export function namedTranscripts(entries: readonly SpoolEntry[]): NamedTranscript[] {
  const named = new Map<string, NamedTranscript>();
  for (const { body, contentType, receivedAtMs } of entries) {
    if (agentOfContentType(contentType) !== 'claude-code' || body.byteLength > MAX_RECORD_LENGTH) continue;
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    if (!text.includes('"Stop"') && !text.includes('"SessionEnd"')) continue;
    const record = parseJson(text);
    if (!isJsonObject(record)) continue;
    const { hook_event_name: event, transcript_path: path, session_id: sessionId } = record;
    if (typeof path !== 'string' || typeof sessionId !== 'string' || path === '' || sessionId === '') continue;
    if (event !== 'Stop' && event !== 'SessionEnd') continue;
    const isTurn = event === 'Stop' && named.get(sessionId)?.isTurn !== false;
    named.set(sessionId, { path, sessionId, isTurn, receivedAtMs });
  }
  return [...named.values()];
}
