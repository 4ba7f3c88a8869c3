import type { Fix } from '../../core/detection.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { type DetectionDraft, type DetectorOptions, defineDetector } from '../_kit/define.ts';
import { counted } from '../_kit/text.ts';
import { costOf, tokenCount } from '../_readings/calls/waste.ts';
import { costOverrunManifest } from './manifest.ts';

type BudgetSubtype = 'token_budget' | 'cost_budget' | 'step_budget';

/** A quantity that accumulates over a run, with its limit. */
interface Budget {
  subtype: BudgetSubtype;
  limit: number;
  /** Amount that one step used. */
  used: (step: Step) => number;
  /** Amount that the sender reports for the whole run, if the steps do not add up to it. */
  reported: number;
  format: (amount: number) => string;
  setting: string;
}

export const costOverrun = defineDetector({
  ...costOverrunManifest,
  detect(trace, options, report) {
    for (const budget of budgetsOf(trace, options)) {
      const draft = exceeded(trace, budget, options);
      if (draft !== null) report(draft);
    }
  },
});

function budgetsOf(trace: Trace, { thresholds, models }: DetectorOptions): Budget[] {
  const { tokenBudget, costBudgetUsd, maxSteps } = thresholds;
  const tokens: Budget = {
    subtype: 'token_budget',
    limit: tokenBudget ?? 0,
    used: (step) => (isCounted(step) ? tokenCount(step.tokens) : 0),
    reported: tokenCount(trace.tokens),
    format: (amount) => counted(amount, 'token'),
    setting: 'token_budget',
  };
  const cost: Budget = {
    subtype: 'cost_budget',
    limit: costBudgetUsd ?? 0,
    used: (step) => (isCounted(step) ? costOf(step, models) : 0),
    reported: trace.costUsd ?? 0,
    format: (amount) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`,
    setting: 'cost_budget_usd',
  };
  const steps: Budget = {
    subtype: 'step_budget',
    limit: maxSteps ?? 0,
    used: () => 1,
    reported: trace.steps.length,
    format: (amount) => counted(amount, 'step'),
    setting: 'max_steps',
  };
  return [
    tokenBudget === null ? [] : [tokens],
    costBudgetUsd === null ? [] : [cost],
    maxSteps === null ? [] : [steps],
  ].flat();
}

/** Whether the step counts. Enclosing spans repeat the sums of the calls below them. */
function isCounted(step: Step): boolean {
  return step.kind === 'llm' || step.kind === 'embedding';
}

function exceeded(trace: Trace, budget: Budget, { models }: DetectorOptions): DetectionDraft<BudgetSubtype> | null {
  const used = trace.steps.map(budget.used);
  const sum = Math.max(
    used.reduce((total, amount) => total + amount, 0),
    budget.reported,
  );
  if (sum <= budget.limit || trace.steps.length === 0) return null;
  const crossing = crossingStep(used, budget.limit);
  const [costliest, share] = costliestAgent(trace, used);
  const after = trace.steps.slice((crossing ?? trace.steps.length - 1) + 1).filter(isCounted);
  const step = crossing === null ? null : trace.steps[crossing]!;
  const times = sum / budget.limit;
  return {
    subtype: budget.subtype,
    score: Math.min(0.98, 0.8 + 0.1 * (times - 1)),
    step: crossing,
    steps: [crossing ?? 0],
    agent: costliest,
    explanation: `The run used ${budget.format(sum)}, ${times.toFixed(1)} times its budget of ${budget.format(budget.limit)}${
      step === null ? '' : `; the limit was crossed at step ${crossing} (${step.name})`
    }. ${costliest ?? trace.steps[0]!.name} accounts for ${Math.round(share * 100)} % of it.`,
    suggestedAction: `Stop runs at ${budget.format(budget.limit)}, and reduce what ${costliest ?? 'the run'} spends.`,
    evidence: [
      {
        kind: 'metric',
        spanId: trace.steps[crossing ?? 0]!.spanId,
        path: null,
        quote: null,
        value: { budget: budget.setting, limit: budget.limit, used: Number(sum.toFixed(6)) },
      },
    ],
    wastedTokens: after.reduce((total, paid) => total + tokenCount(paid.tokens), 0),
    wastedCostUsd: Number(after.reduce((total, paid) => total + costOf(paid, models), 0).toFixed(6)),
    fixes: [budgetGuard(trace, budget, costliest)],
    key: budget.subtype,
  };
}

/** The step at which the sum exceeded the limit; null if only the run's total does. */
function crossingStep(used: readonly number[], limit: number): number | null {
  let sum = 0;
  for (const [index, amount] of used.entries()) {
    sum += amount;
    if (sum > limit) return index;
  }
  return null;
}

function costliestAgent(trace: Trace, used: readonly number[]): [agent: string | null, share: number] {
  const byAgent = new Map<string | null, number>();
  for (const step of trace.steps) byAgent.set(step.agent, (byAgent.get(step.agent) ?? 0) + used[step.index]!);
  const total = [...byAgent.values()].reduce((sum, amount) => sum + amount, 0);
  const [agent, amount] = [...byAgent].reduce((a, b) => (b[1] > a[1] ? b : a), [null, 0]);
  return [agent, total === 0 ? 1 : amount / total];
}

function budgetGuard(trace: Trace, budget: Budget, agent: string | null): Fix {
  const limit = budget.format(budget.limit);
  const native = trace.framework === 'langgraph' && budget.subtype === 'step_budget';
  return {
    fixType: 'budget_limit',
    title: `End runs at ${limit}`,
    description: `Count ${budget.setting} during the run, and end the run with a partial answer at ${limit}.`,
    rationale: `${agent ?? trace.steps[0]!.name} used the largest share of the budget.`,
    confidence: 0.6,
    risk: 'medium',
    changes: [
      {
        target: agent ?? 'run configuration',
        format: 'text',
        before: null,
        after: native
          ? trace.language === 'javascript'
            ? `app.invoke(inputs, { recursionLimit: ${budget.limit} })`
            : `app.invoke(inputs, {"recursion_limit": ${budget.limit}})`
          : `before each model call: if used >= ${budget.limit} (${budget.setting}), return the best answer so far and stop`,
      },
    ],
    isBreaking: false,
    requiresTesting: true,
  };
}
