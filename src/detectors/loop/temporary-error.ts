import type { DetectionDraft } from '../_kit/define.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { failureCause } from '../_readings/calls/failure-class.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { RepetitionAdvice } from './repetition-advice.ts';

/** Reasons of a failed service that a pause does not remove. */
const LASTING: ReadonlySet<string> = new Set(['certificate', 'tls', 'name_resolution', 'server_error']);

/** Whether the error says that the call was refused or not answered for the moment: a rate limit, a timeout, an overload. */
export function isTemporary({ failure }: ToolUse): boolean {
  if (failure === null) return false;
  const cause = failureCause(failure);
  if (cause.class === 'rate_limit' || cause.class === 'timeout') return true;
  return cause.class === 'service' && !LASTING.has(cause.reason ?? '');
}

const RETRIES = 4;

/** Advice on a call that failed with a temporary error each time: a pause before the next attempt, and then a report. */
export function temporaryErrorAdvice(repeated: ToolUse): RepetitionAdvice {
  const { name, failure, agent } = repeated;
  const action = `Retry ${name} in its client with growing pauses, at least as long as a Retry-After in the error says, at most ${RETRIES} times: the error is temporary (${quotedError(failure!.message, 100)}). After that, have ${agent ?? 'the agent'} report that ${name} failed.`;
  return {
    action,
    fixes: [
      checkFix('retry_policy', {
        title: `Retry ${name} with growing pauses`,
        target: `client of ${name}`,
        description: action,
        after: `retries: ${RETRIES}, pause: Retry-After, else 1 s, doubled each time, retry on: timeout | 429 | 502 | 503 | 504`,
        why: 'The error does not depend on the arguments: a later call can work, an immediate one hardly.',
      }),
    ],
    isGuarded: false,
  };
}

/** The rule for a prompt, and no note on the tool: an equal call is right after a pause. */
export const TEMPORARY_RULE: Pick<DetectionDraft, 'promptRule' | 'toolNote'> = {
  promptRule: ({ what }) =>
    `When ${what} fails with a temporary error (rate limit, timeout, overload), say in your answer that it did not work; do not call it again at once.`,
  toolNote: null,
};
