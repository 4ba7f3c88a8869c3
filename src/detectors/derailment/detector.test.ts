import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { derailment } from './detector.ts';

const TASK = 'task "Compare the fares of the ferry between Kiel and Gothenburg for two passengers."';
const RECIPE =
  'Whisk eggs with sugar, melt butter slowly, fold chocolate gently, bake twenty minutes, leave overnight, serve chilled, dusted lightly with cinnamon and the zest of a lemon.';

const rows: DetectorRow[] = [
  {
    name: 'unrelated_answer: a recipe for a fare',
    trace: `${TASK}\nagent clerk\nllm gpt-4o -> "${RECIPE}"`,
    fires: [{ subtype: 'unrelated_answer', step: 0, agent: 'clerk', severity: 'warning' }],
    isPrefixInvariant: false,
  },
  {
    name: 'unrelated_answer: inside the state of a graph',
    trace: `
framework langgraph
node planner
state {"question":"Compare the fares of the ferry between Kiel and Gothenburg for two passengers."}
node writer
state {"question":"Compare the fares of the ferry between Kiel and Gothenburg for two passengers.","answer":"${RECIPE}"}`,
    fires: [{ subtype: 'unrelated_answer', step: 1, agent: 'writer', severity: 'warning' }],
    isPrefixInvariant: false,
  },
  {
    name: 'unrelated_answer: among the messages of the state',
    trace: `
framework langgraph
node planner
state {"messages":[{"role":"user","content":"Compare the fares of the ferry between Kiel and Gothenburg for two passengers."}]}
node writer
state {"messages":[{"role":"user","content":"Compare the fares of the ferry between Kiel and Gothenburg for two passengers."},{"type":"ai","content":"${RECIPE}"}]}`,
    fires: [{ subtype: 'unrelated_answer', step: 1, agent: 'writer' }],
    isPrefixInvariant: false,
  },
  {
    name: 'silent: the answer inside the state is about the task',
    trace: `
framework langgraph
node writer
state {"question":"Compare the fares of the ferry between Kiel and Gothenburg.","answer":"${RECIPE} Passengers on the ferry to Gothenburg like it."}`,
    silent: true,
  },
  {
    name: 'unrelated_answer: a recipe of two sentences for an earnings report',
    trace:
      'task "Summarize the quarterly earnings report of Acme Corp"\nagent writer\nllm gpt-4o -> "Here is a recipe for chocolate cake: mix flour, sugar, cocoa and eggs, then bake at 180 degrees for thirty minutes. Let it cool before serving."',
    fires: [{ subtype: 'unrelated_answer', step: 0, agent: 'writer' }],
    isPrefixInvariant: false,
  },
  {
    name: 'silent: a short answer',
    trace: `${TASK}\nagent clerk\nllm gpt-4o -> "Everything was finished yesterday, and nothing remains open."`,
    silent: true,
  },
  {
    name: 'silent: words of the task',
    trace: `${TASK}\nagent clerk\nllm gpt-4o -> "${RECIPE} Passengers on the ferry like it."`,
    silent: true,
  },
  {
    name: 'silent: words of a result',
    trace: `${TASK}\nagent clerk\ntool read_menu {"page":1} -> "chocolate cake with cinnamon"\nllm gpt-4o -> "${RECIPE}"`,
    silent: true,
  },
  {
    name: 'silent: a short answer',
    trace: `${TASK}\nagent clerk\nllm gpt-4o -> "About 120 euros each."`,
    silent: true,
  },
  {
    name: 'silent: another language than the task',
    trace: `${TASK}\nagent clerk\nllm gpt-4o -> "Die Überfahrt kostet für zwei Personen am Abend ungefähr zweihundert Euro, und die Kabine ist mit dabei."`,
    silent: true,
  },
  {
    name: 'not applicable: still running',
    trace: `running\n${TASK}\nagent clerk\nllm gpt-4o -> "${RECIPE}"`,
    notApplicable: true,
  },
];

testDetector(derailment, rows, { readme: new URL('./README.md', import.meta.url) });
