import type { Step, Trace } from '../../../core/trace.ts';
import { type UserPrompt, userPrompts } from './user-prompts.ts';

/** The user stopped the agent while it worked. */
export interface Interrupt {
  /** Step that marks the interrupt, or the last step before it. */
  step: number;
  /** The next prompt of the user; null if the session ended with the interrupt. */
  next: UserPrompt | null;
}

const MARK = /^\s{0,20}(?:\[Request interrupted by user|<turn_aborted>)/;
const NAME = /^(?:interruption|turn_?aborted|(?:user_?)?interrupt(?:ed)?)$/i;

/** Whether a step marks that the user stopped the agent. This is a decision, not a failure. */
export function isInterruption({ name, output, kind, error, finishReasons }: Step): boolean {
  if (NAME.test(name) || finishReasons.includes('interrupted')) return true;
  return error?.type === 'interrupted' || (kind === 'message' && MARK.test(output));
}

/** Interrupts in order. Consecutive marks are one interrupt. */
export function interrupts(trace: Trace): Interrupt[] {
  const marked = trace.steps.filter(isInterruption);
  const steps = marked.map(({ index }) => index).filter((step, at, all) => at === 0 || step !== all[at - 1]! + 1);
  const last = trace.steps.at(-1)?.index;
  if (trace.codingSession?.endedBy === 'interrupted' && steps.length === 0 && last !== undefined) steps.push(last);
  return steps.map((step) => ({ step, next: userPrompts(trace).find((prompt) => prompt.step > step) ?? null }));
}
