import type { ModelCatalog } from '../../core/model-catalog.ts';
import { NO_TOKENS, type Step, type TokenUsage } from '../../core/trace.ts';
import type { StepFacts } from '../conventions/step-facts.ts';

/**
 * Assigns tokens and cost to the steps that used them, so that the sum over all steps is the trace's total. An agent or
 * chain repeats the usage of its calls; so does a model call that two instrumentations record, the outer around the inner
 * one. A model call around the calls of a *tool* or agent is a separate call.
 */
export function attributeTokens(steps: Step[], facts: readonly Partial<StepFacts>[], models: ModelCatalog): void {
  const spentBelow = new Uint8Array(steps.length);
  const calledBelow = new Uint8Array(steps.length);
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index] as Step;
    const usage = toUsage(facts[index]?.tokens);
    const isCall = step.kind === 'llm' || step.kind === 'embedding';
    const isRepeat = isCall ? calledBelow[index] === 1 : spentBelow[index] === 1;
    if (usage !== null && !isRepeat) {
      step.tokens = usage;
      step.costUsd = facts[index]?.costUsd ?? priceOf(step, usage, facts[index]?.cacheWriteHourTokens ?? 0, models);
    }
    if (step.parent === null || facts[index]?.isTurn) continue;
    if (usage !== null || spentBelow[index] === 1) spentBelow[step.parent] = 1;
    const closesCall = step.kind === 'tool' || step.kind === 'agent';
    if ((isCall && usage !== null) || (calledBelow[index] === 1 && !closesCall)) calledBelow[step.parent] = 1;
  }
}

function priceOf(step: Step, usage: TokenUsage, cacheWriteHourTokens: number, models: ModelCatalog): number | null {
  // The output alone would give a price far below the real one.
  if (step.model === null || usage.input === null) return null;
  const counts = {
    inputTokens: usage.input,
    outputTokens: usage.output ?? 0,
    cacheReadTokens: usage.cacheRead ?? 0,
    cacheWriteTokens: usage.cacheWrite ?? 0,
    cacheWriteHourTokens,
  };
  return models.costUsd(step.model, step.provider, counts, step.startMs);
}

/** Null if nothing was reported. Senders that exclude cached tokens from the input are recognized by their sums. */
function toUsage(reported: Partial<TokenUsage> | undefined): TokenUsage | null {
  if (!reported) return null;
  const { output = null, cacheRead = null, cacheWrite = null, reasoning = null } = reported;
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const reportedInput = reported.input ?? null;
  const input = reportedInput !== null && cached > reportedInput ? reportedInput + cached : reportedInput;
  const total = sumOf(input, output) ?? reported.total ?? null;
  if (total === null && cached === 0) return null;
  return { input, output, total: reported.total ?? total, cacheRead, cacheWrite, reasoning };
}

function sumOf(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}

/** Sum over steps; a field stays null if no step reported it. */
export function sumTokens(steps: Iterable<Step>): TokenUsage {
  const sum: TokenUsage = { ...NO_TOKENS };
  for (const { tokens } of steps) {
    if (tokens === NO_TOKENS) continue;
    for (const key of Object.keys(sum) as (keyof TokenUsage)[]) sum[key] = sumOf(sum[key], tokens[key]);
  }
  return sum;
}

export function sumCost(steps: Iterable<Step>): number | null {
  let sum: number | null = null;
  for (const { costUsd } of steps) sum = sumOf(sum, costUsd);
  return sum;
}
