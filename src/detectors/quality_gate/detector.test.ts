import { type DetectorRow, testDetector } from '../_kit/tester.ts';
import { qualityGate } from './detector.ts';

const EDIT = 'tool edit_file {"path":"src/cart.py","new":"return total"} -> "ok"';
const DONE = 'llm gpt-4o 90/9 -> "The total is now computed from the list of items."';

const rows: DetectorRow[] = [
  {
    name: 'nothing_run: changed and handed in',
    trace: `agent dev\n${EDIT}\n${DONE}`,
    fires: [{ subtype: 'nothing_run', step: 0, agent: 'dev', severity: 'warning', says: 'no test' }],
  },
  {
    name: 'unverified_change: a change after the last script',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"python try_cart.py"} -> "3"\n${EDIT}\n${DONE}`,
    fires: [{ subtype: 'unverified_change', step: 2, severity: 'info' }],
  },
  {
    name: 'suite_never_run: scripts only',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"python try_cart.py"} -> "3"\n${DONE}`,
    fires: [{ subtype: 'suite_never_run', step: 0, severity: 'info' }],
  },
  {
    name: 'failing_tests_left: every run after the change failed',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"\n${DONE}`,
    fires: [{ subtype: 'failing_tests_left', step: 1, severity: 'warning' }],
  },
  {
    name: 'answer_never_computed: the box holds another number than the program printed',
    trace: `
message proxy "How many apples are left?"
agent solver
llm gpt-4o -> "I compute it.\\n\`\`\`python\\nprint(12 * 4)\\n\`\`\`"
message proxy "48"
llm gpt-4o -> "So the answer is \\\\boxed{52}."`,
    fires: [{ subtype: 'answer_never_computed', step: 3, agent: 'solver', severity: 'warning', says: '52' }],
  },
  {
    name: 'no_tester_turn: the editor had the last word',
    trace: `
agent Planner
llm gpt-4o -> "Editor, please correct the parser."
agent Editor
llm gpt-4o -> "I changed the parser."
agent Planner
llm gpt-4o -> "Solved."`,
    fires: [{ subtype: 'no_tester_turn', step: 1, agent: 'Editor', severity: 'warning' }],
  },
  {
    name: 'silent: tested after the last change',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"npm test"} -> "12 passed"\n${DONE}`,
    silent: true,
  },
  {
    name: 'silent: a failing run, a repair, a passing run',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"go test ./..."} -> "--- FAIL"\n${EDIT}\ntool bash {"command":"go test ./..."} -> "ok"\n${DONE}`,
    silent: true,
  },
  {
    name: 'silent: a document is no code',
    trace: `agent dev\ntool write_file {"path":"notes/plan.md","content":"x"} -> "ok"\n${DONE}`,
    silent: true,
  },
  { name: 'not applicable: still running', trace: `running\nagent dev\n${EDIT}\n${DONE}`, notApplicable: true },
  {
    name: 'silent: the number was printed, with a thousands separator',
    trace: `
message proxy "How many?"
agent solver
llm gpt-4o -> "\`\`\`python\\nprint(1200)\\n\`\`\`"
message proxy "1200"
llm gpt-4o -> "The result is \\\\boxed{1,200}"`,
    silent: true,
  },
  {
    name: 'silent: a reviewer came last',
    trace: 'agent Coder\nllm gpt-4o -> "Changed."\nagent Reviewer\nllm gpt-4o -> "I ran it, it passes."',
    silent: true,
  },
];

testDetector(qualityGate, rows, { readme: new URL('./README.md', import.meta.url) });
