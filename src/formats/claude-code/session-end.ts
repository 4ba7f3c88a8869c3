import type { SessionEnd } from '../../core/trace.ts';

/** The last relevant event of a session's main agent, which decides how the session ended. */
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

/** After the user refuses a call, the program also reports an interruption: the refusal ended the turn. */
export function nextEvent(last: LastEvent | null, event: LastEvent): LastEvent {
  return event === 'interruption' && last === 'refused' ? 'refused' : event;
}
