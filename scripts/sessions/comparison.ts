import type { ProductSession } from './product-session.ts';
import type { SessionCount } from './session-count.ts';

/** Costs that differ by more than this share are different. */
export const COST_TOLERANCE = 0.02;

export interface Comparison {
  file: string;
  count: SessionCount;
  product: ProductSession;
  /** (product − recount) / recount; null when one of them has no cost. */
  costError: number | null;
  missedIds: string[];
  /** Calls that the product marks failed and the program does not. A runner's line of failure, and the start of a process that failed, are accepted. */
  extraIds: string[];
  /** The differences as text; empty if all figures agree. */
  differences: string[];
}

export function compare(file: string, count: SessionCount, product: ProductSession): Comparison {
  const failed = new Set(product.failedIds);
  const expected = new Set([...count.failedIds, ...count.failedBySummaryIds, ...count.failedStartIds]);
  const comparison: Comparison = {
    file,
    count,
    product,
    costError: costError(count.costUsd, product.costUsd),
    missedIds: count.failedIds.filter((id) => !failed.has(id)),
    extraIds: count.failedCalls === null ? [] : [...failed].filter((id) => !expected.has(id)),
    differences: [],
  };
  return { ...comparison, differences: product.isRead ? differencesOf(comparison) : ['not read'] };
}

function costError(recount: number | null, product: number | null): number | null {
  if (recount === null || product === null) return null;
  if (recount === 0) return product === 0 ? 0 : Number.POSITIVE_INFINITY;
  return (product - recount) / recount;
}

export function costAgrees(comparison: Comparison): boolean {
  const { costError: error, count, product } = comparison;
  if (error === null) return isUnknownOrFree(count.costUsd) && isUnknownOrFree(product.costUsd);
  return Math.abs(error) <= COST_TOLERANCE;
}

/** For a free model the store contains no cost or zero. */
function isUnknownOrFree(cost: number | null): boolean {
  return cost === null || cost === 0;
}

function differencesOf(comparison: Comparison): string[] {
  const { count, product, missedIds, extraIds } = comparison;
  return [
    ...costDifference(comparison),
    ...tokenDifference(count, product),
    ...plain(
      'tool calls',
      count.toolCalls,
      product.toolCalls,
      subagentHint(count.toolCalls - product.toolCalls, count.subagentToolCalls),
    ),
    ...(missedIds.length > 0
      ? [`${missedIds.length} failed calls missed${subagentHint(missedIds.length, count.subagentFailedCalls)}`]
      : []),
    ...(extraIds.length > 0 ? [`${extraIds.length} calls marked failed without a flag`] : []),
    ...plain('refusals', count.userRefusals, product.userRefusals),
    ...plain('compactions', count.compactions, product.compactions),
    ...plain('end', count.endedBy, product.endedBy || 'none'),
    ...(product.traces === 1 ? [] : [`${product.traces} traces`]),
  ];
}

function costDifference(comparison: Comparison): string[] {
  if (costAgrees(comparison)) return [];
  const { count, product } = comparison;
  const own = count.costUsd ?? 0;
  const without = (part: number) => part > 0 && near(product.costUsd ?? 0, own - part);
  const including = (part: number) => part > 0 && near(product.costUsd ?? 0, own + part);
  const hint = without(count.subagentCostUsd)
    ? ' (without subagents)'
    : including(count.copiedCostUsd)
      ? ' (with copied history)'
      : '';
  return [`cost ${dollars(count.costUsd)} / ${dollars(product.costUsd)}${hint}`];
}

function tokenDifference(count: SessionCount, product: ProductSession): string[] {
  const total = totalTokens(count);
  if (total === null || near(product.totalTokens, total)) return [];
  return [`tokens ${total} / ${product.totalTokens}`];
}

export function totalTokens({ tokens }: SessionCount): number | null {
  if (tokens === null) return null;
  return tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h + tokens.output;
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * COST_TOLERANCE;
}

function plain(what: string, recount: string | number, product: string | number, hint = ''): string[] {
  return recount === product ? [] : [`${what} ${recount} / ${product}${hint}`];
}

function subagentHint(difference: number, bySubagents: number): string {
  return bySubagents > 0 && difference === bySubagents ? ' (those of subagents)' : '';
}

export function dollars(cost: number | null): string {
  return cost === null ? 'none' : `$${cost.toFixed(4)}`;
}
