import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Message, Step, Trace } from '../../core/trace.ts';

/** How full the model's context window was in one call. */
export interface ContextLoad {
  step: Step;
  inputTokens: number;
  outputTokens: number;
  /** Size of the context window in tokens; null if the model is unknown. */
  contextWindow: number | null;
  /** (input + output) / window; null if the window is unknown. */
  ratio: number | null;
  /** True if the sender reported no tokens and the number is estimated from the length of the text. */
  isEstimated: boolean;
}

/** Tokens per character: four ASCII characters make a token; other scripts use more tokens. */
const TOKENS_PER_ASCII = 0.25;
const TOKENS_PER_OTHER = 0.6;

/** The context loads of all model calls, in order. */
export function contextLoads(trace: Trace, models: ModelCatalog): ContextLoad[] {
  return trace.steps.filter((step) => step.kind === 'llm').map((step) => loadOf(step, models));
}

function loadOf(step: Step, models: ModelCatalog): ContextLoad {
  const contextWindow = step.model === null ? null : (models.find(step.model, step.provider)?.contextWindow ?? null);
  const isEstimated = step.tokens.input === null;
  const inputTokens = step.tokens.input ?? estimateInput(step);
  const outputTokens = step.tokens.output ?? (isEstimated ? estimateTokens(step.output) : 0);
  const ratio = contextWindow === null ? null : (inputTokens + outputTokens) / contextWindow;
  return { step, inputTokens, outputTokens, contextWindow, ratio, isEstimated };
}

function estimateInput(step: Step): number {
  if (step.inputMessages.length === 0) return estimateTokens(step.input);
  return step.inputMessages.reduce((sum, message) => sum + estimateTokens(message.content), 0);
}

export function estimateTokens(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) others += 1;
  return Math.ceil((text.length - others) * TOKENS_PER_ASCII + others * TOKENS_PER_OTHER);
}

/** The largest message of a call and its share of the text; null if no messages are known. */
export function largestMessage(step: Step): { message: Message; share: number } | null {
  const total = step.inputMessages.reduce((sum, message) => sum + message.content.length, 0);
  if (total === 0) return null;
  const message = step.inputMessages.reduce((a, b) => (b.content.length > a.content.length ? b : a));
  return { message, share: message.content.length / total };
}
