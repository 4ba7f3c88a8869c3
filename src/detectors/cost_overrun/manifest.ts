import { defineManifest } from '../_kit/manifest.ts';
import { fact } from '../_kit/maturity.ts';

const BUDGET_IMPACT = 'Runs like this cost more than planned.';

export const costOverrunManifest = defineManifest({
  type: 'cost_overrun',
  title: 'Cost overrun',
  failureModes: ['F3'],
  needs: ['steps'],
  evaluation: { runsWith: ['tenant_settings'], isConstructedOnly: true },
  subtypes: {
    token_budget: {
      title: 'Token budget exceeded',
      impact: 'critical',
      businessImpact: BUDGET_IMPACT,
      maturity: fact('The run used more tokens than the budget that you set.'),
      promptRule: ({ what }) =>
        `Plan before you act, keep what ${what} returns short, and finish with the best answer so far when more brings little.`,
    },
    cost_budget: {
      title: 'Cost budget exceeded',
      impact: 'critical',
      businessImpact: BUDGET_IMPACT,
      maturity: fact('The run cost more than the budget that you set.'),
      promptRule: ({ what }) =>
        `Plan before you act, use ${what} sparingly, and finish with the best answer so far when more brings little.`,
    },
    step_budget: {
      title: 'Step budget exceeded',
      impact: 'warning',
      businessImpact: BUDGET_IMPACT,
      maturity: fact('The run took more steps than the budget that you set.'),
      promptRule: ({ what }) =>
        `Plan the fewest steps that settle the task, and do not go back to ${what} without a new question.`,
    },
  },
});
