import type { ModelCatalog } from '../../../core/model-catalog.ts';
import type { Step, TokenUsage, Trace } from '../../../core/trace.ts';

export interface Waste {
  wastedTokens: number;
  wastedCostUsd: number;
}

/** Largest distance between a tool call and the model call that requested it. */
const MAX_REQUEST_DISTANCE = 20;

/**
 * Tokens and dollars spent on these steps: their own model calls, those of their children, and for a tool its share of the
 * requesting model call (a call that requested four tools counts one quarter for each). Sums on enclosing spans are ignored
 * if the calls below them report their own. Never exceeds the cost of these model calls.
 */
export function wasteOf(trace: Trace, steps: readonly number[], models: ModelCatalog): Waste {
  const isWasted = new Set(steps);
  const shares = sharesOfRequestingCalls(trace, isWasted);
  for (const step of trace.steps)
    if (step.parent !== null && (isWasted.has(step.parent) || shares.get(step.parent) === 1)) isWasted.add(step.index);
  const wasted = trace.steps.filter(({ index }) => isWasted.has(index) || shares.has(index));
  const calls = wasted.filter((step) => step.kind === 'llm');
  const countedSteps = calls.length > 0 ? calls : wasted.filter((step) => !isWasted.has(step.parent ?? -1));
  const shareOf = ({ index }: Step) => (isWasted.has(index) ? 1 : (shares.get(index) ?? 1));
  return {
    wastedTokens: Math.round(countedSteps.reduce((sum, step) => sum + tokenCount(step.tokens) * shareOf(step), 0)),
    wastedCostUsd: Number(countedSteps.reduce((sum, step) => sum + costOf(step, models) * shareOf(step), 0).toFixed(6)),
  };
}

/** Share of wasted tools by requesting model call. */
function sharesOfRequestingCalls(trace: Trace, isWasted: ReadonlySet<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const index of isWasted) {
    const requesting = requestingStep(trace, trace.steps[index]!);
    if (requesting !== null) counts.set(requesting, (counts.get(requesting) ?? 0) + 1);
  }
  return new Map(
    [...counts].map(([requesting, count]) => [
      requesting,
      count / Math.max(count, toolsRequestedBy(trace, requesting)),
    ]),
  );
}

function toolsRequestedBy(trace: Trace, requesting: number): number {
  const { agent } = trace.steps[requesting]!;
  let count = 0;
  for (let at = requesting + 1; at < Math.min(trace.steps.length, requesting + 1 + MAX_REQUEST_DISTANCE); at += 1) {
    const step = trace.steps[at]!;
    if (step.agent !== agent) continue;
    if (step.kind === 'llm') break;
    if (step.kind === 'tool') count += 1;
  }
  return count;
}

/** Total tokens of a usage, as reported or as the sum of its parts; 0 if nothing was reported. */
export function tokenCount(usage: TokenUsage): number {
  return usage.total ?? (usage.input ?? 0) + (usage.output ?? 0);
}

/** Dollars of one step, as reported or from the catalog; 0 if unknown. */
export function costOf(step: Step, models: ModelCatalog): number {
  if (step.costUsd !== null) return step.costUsd;
  if (step.model === null || tokenCount(step.tokens) === 0) return 0;
  const usage = {
    inputTokens: step.tokens.input ?? 0,
    outputTokens: step.tokens.output ?? 0,
    cacheReadTokens: step.tokens.cacheRead ?? 0,
    cacheWriteTokens: step.tokens.cacheWrite ?? 0,
  };
  return models.costUsd(step.model, step.provider, usage, step.startMs) ?? 0;
}

function requestingStep(trace: Trace, step: Step): number | null {
  if (step.kind !== 'tool') return null;
  for (let at = step.index - 1; at >= Math.max(0, step.index - MAX_REQUEST_DISTANCE); at -= 1) {
    const candidate = trace.steps[at]!;
    if (candidate.kind === 'llm' && candidate.agent === step.agent) return at;
  }
  return null;
}
