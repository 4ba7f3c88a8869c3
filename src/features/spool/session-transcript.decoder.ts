import type { Span } from '../../core/span.ts';
import { decodeTranscript } from '../../formats/claude-code/decode-transcript.ts';
import { sessionTraceId } from '../../formats/hooks/session-span.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';

export interface SessionTranscriptParams {
  sessionId: string;
  /** Only the last turn is read. */
  isTurn: boolean;
}

/** The transcript of one session of Claude Code, as a file of this machine. Invalid lines are ignored. */
export const sessionTranscript: BodyDecoder<SessionTranscriptParams, null> = {
  name: 'session-transcript',
  decode(body, { sessionId, isTurn }) {
    const traceId = sessionTraceId(sessionId);
    const spans = decodeTranscript(body.toString('utf8')).spans.filter((span) => span.traceId === traceId);
    return { spans: isTurn ? lastTurn(spans) : spans, rejections: [], facts: null };
  },
};

/** The session itself, and what happened since the last prompt. */
function lastTurn(spans: readonly Span[]): Span[] {
  const startNs = spans.reduce((last, { name, startNs: at }) => (name === 'prompt' && at > last ? at : last), 0n);
  return spans.filter((span) => span.parentSpanId === null || (span.endNs ?? span.startNs) >= startNs);
}
