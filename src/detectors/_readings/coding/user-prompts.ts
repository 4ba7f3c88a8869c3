import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { conversation } from '../conduct/conversation.ts';

/** A prompt of the user of a coding agent. */
export interface UserPrompt {
  step: number;
  text: string;
}

/** Prompts written by a person, in order. Lines that the agent's program writes in the user's name are omitted. */
export const userPrompts = memoizeByRef((trace: Trace): readonly UserPrompt[] =>
  conversation(trace)
    .filter(({ by, text }) => by === 'user' && !isByProgram(text))
    .map(({ step, text }) => ({ step, text })),
);

const PROGRAM_TEXT =
  /^\s{0,20}(?:<(?:command-name|command-message|local-command|system-reminder|task-notification|ide_|user_instructions|environment_context|turn_aborted|bash-(?:input|stdout|stderr))|\[Request interrupted by user|Caveat: The messages below|This session is being continued from)/;

export function isByProgram(text: string): boolean {
  return PROGRAM_TEXT.test(text);
}
