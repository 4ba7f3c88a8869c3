import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { workflowDesign } from './detector.ts';

const routed = (answer: string, branches: object, ...rest: string[]) =>
  [
    'user "Please renew my passport."',
    'agent registrar',
    `llm m -> ${JSON.stringify(answer)}`,
    `span desks given ${JSON.stringify(JSON.stringify({ desk: answer }))} branches ${JSON.stringify(branches)}`,
    ...rest,
  ].join('\n');
const NONE = { conditions: 3, taken: [] };

const rows: DetectorRow[] = [
  {
    name: 'no_branch_taken: the answer of the model names no branch',
    trace: routed('visa', NONE, 'final ""'),
    fires: [
      {
        subtype: 'no_branch_taken',
        step: 1,
        agent: 'registrar',
        severity: 'critical',
        text: 'registrar answered "visa" at step 1. desks (step 2) evaluated its 3 conditions with this answer, and none of them held.',
        suggestion: 'add a branch for every other answer, such as "visa"',
        fix: 'Change branches of desks',
      },
    ],
  },
  {
    name: 'no_branch_taken: the answer in another script, and an empty object as the result',
    trace: routed('查証', NONE, 'final "{}"'),
    fires: [{ subtype: 'no_branch_taken', text: '"查証"' }],
  },
  { name: 'silent: a branch ran', trace: routed('passports', { conditions: 3, taken: ['passports'] }), silent: true },
  {
    name: 'silent: one optional branch',
    trace: routed('nothing new', { conditions: 1, taken: [] }, 'final ""'),
    silent: true,
  },
  {
    name: 'silent: the run continued after it',
    trace: routed('visa', NONE, 'llm m -> "Which desk do you mean?"'),
    silent: true,
  },
  {
    name: 'silent: the run has a result',
    trace: routed('visa', NONE, 'final "Your letter was filed."'),
    silent: true,
  },
  {
    name: 'silent: no model chose',
    trace:
      'user "Any mail?"\nagent clerk\nllm m -> "I look."\nspan desks given "{\\"letters\\":0}" branches {"conditions":2,"taken":[]}\nfinal ""',
    silent: true,
  },
];

testDetector(workflowDesign, rows);
