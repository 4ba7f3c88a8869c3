import type { ContextLoad } from './context-load.ts';

/** Shorter texts, such as "Continue.", occur in any conversation. */
const LEAST_CHARACTERS = 24;
/** Later calls that are looked at. */
const MOST_CALLS = 20;

/**
 * Whether a later prompt carries on an earlier call: it contains the answer or the newest message of it. Null if a sender
 * recorded no text of one of them.
 */
export function holdsTextOf(later: ContextLoad, earlier: ContextLoad): boolean | null {
  const own = textsOf(earlier);
  if (own.length === 0 || !hasPrompt(later)) return null;
  if (later.step.inputMessages.length === 0) return own.some((text) => later.step.input.includes(text));
  return later.step.inputMessages.some(({ content }) => own.some((text) => content.includes(text)));
}

function hasPrompt({ step }: ContextLoad): boolean {
  return step.inputMessages.length > 0 || step.input !== '';
}

/** What a call answered, and the newest that it was given: every call contains the instructions. */
function textsOf({ step }: ContextLoad): string[] {
  const given = step.inputMessages.at(-1)?.content ?? step.input;
  return [step.output, given].map((text) => text.trim()).filter((text) => text.length >= LEAST_CHARACTERS);
}

/** Whether the conversation of a call goes on after it: a later call of the agent holds its text, or all of its tokens. */
export function isContinued(load: ContextLoad, loads: readonly ContextLoad[]): boolean {
  const later = loads.filter(({ step }) => step.index > load.step.index).slice(0, MOST_CALLS);
  return later.some((other) => isContinuation(other, load));
}

/** Whether a call is the next of a conversation that had begun before it. */
export function hasHistory(load: ContextLoad, loads: readonly ContextLoad[]): boolean {
  const earlier = loads.filter(({ step }) => step.index < load.step.index).slice(-MOST_CALLS);
  return earlier.some((other) => isContinuation(load, other));
}

function isContinuation(later: ContextLoad, earlier: ContextLoad): boolean {
  // Without texts: the prompt of the next call holds the prompt and the answer of the one before.
  return holdsTextOf(later, earlier) ?? later.inputTokens >= earlier.inputTokens + earlier.outputTokens;
}
