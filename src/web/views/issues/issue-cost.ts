import type { Issue } from '../../../client/misstep-client.generated.ts';
import { dollars, NOT_MEASURED, pluralize, wasteText } from '../../parts/amounts.ts';

type IssueCost = Pick<Issue, 'wasted_tokens' | 'wasted_cost_usd' | 'run_cost_usd' | 'run_count'>;

/** What an issue wasted, otherwise what its runs cost; null if neither is known. */
export function shortCostText(issue: IssueCost): string | null {
  const { wasted_tokens, wasted_cost_usd } = issue;
  // The tokens say more only if the cost is not known.
  const waste = wasteText({ tokens: wasted_cost_usd > 0 ? 0 : wasted_tokens, cost: wasted_cost_usd });
  return waste === NOT_MEASURED ? spentText(issue) : `${waste} wasted`;
}

/** What an issue wasted, what the shown run wasted, and what all its runs cost. */
export function longCostText(
  issue: IssueCost,
  run: { wasted_tokens: number; wasted_cost_usd: number } | undefined,
): string {
  const { wasted_tokens, wasted_cost_usd, run_count } = issue;
  const spent = spentText(issue);
  if (wasted_tokens + wasted_cost_usd === 0)
    return spent === null
      ? 'Not measured: no run with this failure has a model call with tokens and a known price.'
      : `${spent} with this failure. How much of it the failure wasted is not measured.`;
  const waste = `${wasteText({ tokens: wasted_tokens, cost: wasted_cost_usd })} wasted in ${pluralize(run_count, 'run')}`;
  const own =
    run === undefined || run_count < 2
      ? ''
      : `; this run: ${wasteText({ tokens: run.wasted_tokens, cost: run.wasted_cost_usd })}`;
  return `${waste}${own}.${spent === null ? '' : ` In all, ${spent}.`}`;
}

function spentText({ run_cost_usd, run_count }: IssueCost): string | null {
  return run_cost_usd === null ? null : `${dollars(run_cost_usd)} spent in ${pluralize(run_count, 'run')}`;
}
