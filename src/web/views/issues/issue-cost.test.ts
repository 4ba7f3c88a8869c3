import { expect, it } from 'vitest';
import { longCostText, shortCostText } from './issue-cost.ts';

const COST = { wasted_tokens: 0, wasted_cost_usd: 0, run_cost_usd: null, run_count: 4 };
const RUN = { wasted_tokens: 500, wasted_cost_usd: 0.1 };

it.each([
  [{}, null, /^Not measured: no run with this failure has a model call with tokens and a known price\.$/],
  [
    { run_cost_usd: 4.26 },
    '$4.26 spent in 4 runs',
    /^\$4\.26 spent in 4 runs with this failure\. How much of it the failure wasted is not measured\.$/,
  ],
  [{ wasted_tokens: 12_000 }, '12 k tokens wasted', /^12 k tokens wasted in 4 runs; this run: \$0\.10, 500 tokens\.$/],
  [
    { wasted_tokens: 12_000, wasted_cost_usd: 0.3, run_cost_usd: 2 },
    '$0.30 wasted',
    /^\$0\.30, 12 k tokens wasted in 4 runs; this run: \$0\.10, 500 tokens\. In all, \$2\.00 spent in 4 runs\.$/,
  ],
  [{ wasted_tokens: 9, run_count: 1 }, '9 tokens wasted', /^9 tokens wasted in 1 run\.$/],
])('the cost %j', (change, short, long) => {
  expect(shortCostText({ ...COST, ...change })).toBe(short);
  expect(longCostText({ ...COST, ...change }, RUN)).toMatch(long);
});
