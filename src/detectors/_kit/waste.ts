import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Step, TokenUsage, Trace } from '../../core/trace.ts';

export interface Waste {
  wastedTokens: number;
  wastedCostUsd: number;
}

/** How far back the model call that asked for a tool may stand. */
const ASKING_DISTANCE = 20;

/**
 * Tokens and dollars spent on these steps: their own model calls, those of their children, and for a tool the model
 * call that asked for it. Sums on enclosing spans are left out where the calls below them report their own.
 */
export function wasteOf(trace: Trace, steps: readonly number[], models: ModelCatalog): Waste {
  const isWasted = new Set(steps);
  for (const index of steps) {
    const asking = askingStep(trace, trace.steps[index]!);
    if (asking !== null) isWasted.add(asking);
  }
  for (const step of trace.steps) if (step.parent !== null && isWasted.has(step.parent)) isWasted.add(step.index);
  const wasted = trace.steps.filter((step) => isWasted.has(step.index));
  const calls = wasted.filter((step) => step.kind === 'llm');
  const paid = calls.length > 0 ? calls : wasted.filter((step) => !isWasted.has(step.parent ?? -1));
  return {
    wastedTokens: paid.reduce((sum, step) => sum + tokenCount(step.tokens), 0),
    wastedCostUsd: Number(paid.reduce((sum, step) => sum + costOf(step, models), 0).toFixed(6)),
  };
}

/** Total tokens of a usage, as reported or as the sum of its parts; 0 where nothing was reported. */
export function tokenCount(usage: TokenUsage): number {
  return usage.total ?? (usage.input ?? 0) + (usage.output ?? 0);
}

/** Dollars of one step, as reported or by the catalog; 0 where neither knows. */
export function costOf(step: Step, models: ModelCatalog): number {
  if (step.costUsd !== null) return step.costUsd;
  if (step.model === null || tokenCount(step.tokens) === 0) return 0;
  const usage = {
    inputTokens: step.tokens.input ?? 0,
    outputTokens: step.tokens.output ?? 0,
    cacheReadTokens: step.tokens.cacheRead ?? 0,
    cacheWriteTokens: step.tokens.cacheWrite ?? 0,
  };
  return models.costUsd(step.model, step.provider, usage) ?? 0;
}

function askingStep(trace: Trace, step: Step): number | null {
  if (step.kind !== 'tool') return null;
  for (let at = step.index - 1; at >= Math.max(0, step.index - ASKING_DISTANCE); at -= 1) {
    const candidate = trace.steps[at]!;
    if (candidate.kind === 'llm' && candidate.agent === step.agent) return at;
  }
  return null;
}
