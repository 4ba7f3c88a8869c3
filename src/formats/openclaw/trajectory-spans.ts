import { writtenError } from '../../core/decoder-error.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { type Session, sessionPart } from './event-spans.ts';
import { makeSpan, markEnded, sessionSpanId } from './session-span.ts';
import { textIn } from './text-in.ts';

/**
 * Facts that the runtime's own record adds to a transcript: the owner of the session, and a run that failed. Compiled
 * prompts and model calls are in the transcript.
 */
export function trajectorySpans(event: JsonObject, session: Session, atMs: number): Span[] {
  const root = sessionPart(session, { startMs: null, endMs: atMs }, event);
  if (event.type === 'session.ended') markEnded(root);
  const data = isJsonObject(event.data) ? event.data : {};
  const why = event.type === 'session.ended' ? failureOf(data) : null;
  if (why === null || session.hasFailedCall) return [root];
  const spanId = sessionSpanId(session.id, 'run', textIn(event, 'runId') ?? String(atMs));
  const parts = { spanId, kind: 'chain' as const, name: 'run', startMs: atMs, endMs: atMs };
  const status = { code: 2 as const, message: why.message };
  return [root, makeSpan(session.id, { ...parts, status }, { 'error.type': why.type })];
}

function failureOf(data: JsonObject): { type: string; message: string } | null {
  const status = textIn(data, 'status');
  if (data.aborted === true || data.externalAbort === true) return null;
  const error = textIn(data, 'promptError', 'error', 'errorMessage');
  const hasTimedOut = Object.entries(data).some(([key, value]) => value === true && /timedOut/i.test(key));
  if (hasTimedOut) return { type: 'timeout', message: error ?? writtenError('runTimeout') };
  if (status === null || status === 'success') return null;
  return { type: status, message: error ?? writtenError('runEnded', status) };
}
