import type { ContextLoad } from './context-load.ts';

/** Shorter texts, such as "Continue.", occur in any conversation. */
const MIN_CHARACTERS = 24;
/** Number of later calls to examine. */
const MAX_CALLS = 20;

/**
 * Whether a later prompt contains the answer or the newest message of an earlier call. Null if the sender recorded no text
 * for one of them.
 */
export function containsTextOf(later: ContextLoad, earlier: ContextLoad): boolean | null {
  const own = textsOf(earlier);
  if (own.length === 0 || !hasPrompt(later)) return null;
  if (later.step.inputMessages.length === 0) return own.some((text) => later.step.input.includes(text));
  return later.step.inputMessages.some(({ content }) => own.some((text) => content.includes(text)));
}

function hasPrompt({ step }: ContextLoad): boolean {
  return step.inputMessages.length > 0 || step.input !== '';
}

/**
 * The answer of a call and its newest input message. Older messages do not identify a call: every call contains the
 * instructions.
 */
function textsOf({ step }: ContextLoad): string[] {
  const given = step.inputMessages.at(-1)?.content ?? step.input;
  return [step.output, given].map((text) => text.trim()).filter((text) => text.length >= MIN_CHARACTERS);
}

/** Whether the conversation of a call continues: a later call of the agent contains its text, or at least as many tokens. */
export function isContinued(load: ContextLoad, loads: readonly ContextLoad[]): boolean {
  const later = loads.filter(({ step }) => step.index > load.step.index).slice(0, MAX_CALLS);
  return later.some((other) => isContinuation(other, load));
}

/** Whether a call continues a conversation that began earlier. */
export function hasHistory(load: ContextLoad, loads: readonly ContextLoad[]): boolean {
  const earlier = loads.filter(({ step }) => step.index < load.step.index).slice(-MAX_CALLS);
  return earlier.some((other) => isContinuation(load, other));
}

function isContinuation(later: ContextLoad, earlier: ContextLoad): boolean {
  // Without texts: the prompt of the next call includes the prompt and the answer of the previous one.
  return containsTextOf(later, earlier) ?? later.inputTokens >= earlier.inputTokens + earlier.outputTokens;
}
