import type { SessionEnd } from '../../core/trace.ts';

/** The last thing that the main agent of a session did, as far as it decides how the session ended. */
export type LastEvent =
  | 'prompt'
  | 'text'
  | 'call'
  | 'result'
  | 'final_result'
  | 'refused'
  | 'interruption'
  | 'api_error'
  | 'limit';

const ENDS: Readonly<Record<LastEvent, SessionEnd>> = {
  prompt: 'unknown',
  text: 'completed',
  call: 'unknown',
  result: 'unknown',
  final_result: 'completed',
  refused: 'refused',
  interruption: 'interrupted',
  api_error: 'api_error',
  limit: 'limit',
};

export function sessionEnd(last: LastEvent | null): SessionEnd {
  return last === null ? 'unknown' : ENDS[last];
}

/** The program reports an interruption after the user refuses a call: the refusal is what ended the turn. */
export function nextEvent(last: LastEvent | null, event: LastEvent): LastEvent {
  return event === 'interruption' && last === 'refused' ? 'refused' : event;
}
