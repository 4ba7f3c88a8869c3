import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { costOverrun } from './detector.ts';

const TALK = `
agent planner
llm gpt-4o 400/100 cost 0.01 -> "plan"
agent writer
llm gpt-4o 4000/500 cost 0.2 -> "text"
llm gpt-4o 900/100 cost 0.04 -> "more text"`;

const rows: DetectorRow[] = [
  {
    name: 'token_budget: exceeded at the writer; the tokens after it are waste',
    trace: TALK,
    thresholds: { tokenBudget: 3000 },
    fires: [
      {
        subtype: 'token_budget',
        step: 1,
        agent: 'writer',
        severity: 'critical',
        wastedTokens: 1000,
        text: '6,000 tokens',
      },
    ],
  },
  {
    name: 'cost_budget: exceeded at the writer',
    trace: TALK,
    thresholds: { costBudgetUsd: 0.1 },
    fires: [{ subtype: 'cost_budget', step: 1, agent: 'writer', text: '$0.1000' }],
  },
  {
    name: 'step_budget: one step too many',
    trace: TALK,
    thresholds: { maxSteps: 2 },
    isPrefixInvariant: false,
    fires: [{ subtype: 'step_budget', step: 2, severity: 'warning', text: '3 steps' }],
  },
  { name: 'silent: no budget is set', trace: TALK, silent: true },
  {
    name: 'silent: exactly on budget',
    trace: TALK,
    thresholds: { tokenBudget: 6000, costBudgetUsd: 0.26, maxSteps: 3 },
    isPrefixInvariant: false,
    silent: true,
  },
  {
    name: 'silent: sums on enclosing spans are not counted twice',
    trace: `
agent a
span run
  llm gpt-4o 900/100 -> "text"`,
    thresholds: { tokenBudget: 1500 },
    silent: true,
  },
  { name: 'not applicable without steps', trace: '', notApplicable: true },
];

testDetector(costOverrun, rows, { readme: new URL('./README.md', import.meta.url) });
