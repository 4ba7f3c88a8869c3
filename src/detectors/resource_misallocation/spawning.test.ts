import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import type { Trace } from '../../core/trace.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { resourceMisallocation } from './detector.ts';

const TASK = 'Collect the prices of all ferries of the islands.';

/** One agent that starts others, with a model call between them unless they are started at once. */
function starting(
  tasks: readonly string[],
  { user = 'What does the ferry cost?', isAtOnce = false, result = 'accepted' } = {},
): Trace {
  const builder = new TraceBuilder().framework('openclaw').agent('main').user(user);
  builder.llm('I start.');
  for (const task of tasks) {
    builder.tool('sessions_spawn', { task }, result);
    if (!isAtOnce) builder.llm('I wait.');
  }
  return builder.llm('Done.').build();
}

/** Agents inside each other, each started by a call of the one above. */
function nested(
  depth: number,
  task: (level: number) => string,
  { isWrapped = false, name = (level: number) => `agent${level}` } = {},
): Trace {
  const draft = emptyDraft();
  let parent: number | null = null;
  for (let level = 0; level < depth; level += 1) {
    const agent = name(level);
    parent = addStep(draft, { kind: 'agent', name: agent, agent, parent });
    if (isWrapped) parent = addStep(draft, { kind: 'agent', name: 'run', agent, parent });
    addStep(draft, { kind: 'llm', model: 'm', agent, parent, output: `I am ${agent}.` });
    if (level === depth - 1) break;
    const tool = { id: null, name: 'Task', arguments: { prompt: task(level) }, result: 'ok' };
    parent = addStep(draft, { kind: 'tool', agent, parent, tool, output: 'ok' });
  }
  return finishTrace(draft);
}
const different = (level: number) => `Look at part number ${level} of the long list of ferries`;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => different(at));

const rows: DetectorRow[] = [
  {
    name: 'spawn_chain: the whole task is passed on',
    trace: nested(3, () => TASK),
    fires: [{ subtype: 'spawn_chain', step: 5, agent: 'agent1', severity: 'warning', text: 'the same task' }],
  },
  {
    name: 'spawn_chain: an agent starts itself for its own task',
    trace: nested(3, () => TASK, { name: () => 'helper' }),
    fires: [{ subtype: 'spawn_chain', step: 5, agent: 'helper', severity: 'warning' }],
  },
  {
    name: 'spawn_chain: agents below agents below agents',
    trace: nested(6, different),
    fires: [{ subtype: 'spawn_chain', agent: 'agent5', severity: 'warning', text: '5 levels of agents' }],
  },
  {
    name: 'spawn_fan_out: more than twenty agents with different tasks give info',
    trace: starting(numbers(24)),
    fires: [{ subtype: 'spawn_fan_out', agent: 'main', severity: 'info', text: '24 agents' }],
    isPrefixInvariant: false,
  },
  {
    name: 'spawn_fan_out: the same task repeatedly',
    trace: starting([TASK, TASK, TASK]),
    fires: [{ subtype: 'spawn_fan_out', agent: 'main', severity: 'warning', text: 'same task 3 times' }],
  },
  {
    name: 'spawn_fan_out: it continues although the runtime rejects the starts',
    trace: starting(numbers(3), {
      result: '{"status":"forbidden","error":"sessions_spawn is not allowed at this depth (current depth: 1, max: 1)"}',
    }),
    fires: [{ subtype: 'spawn_fan_out', agent: 'main', severity: 'warning', text: 'refused' }],
  },
  { name: 'silent: two agents below each other', trace: nested(3, different), silent: true },
  { name: 'silent: spans that wrap one agent twice', trace: nested(3, different, { isWrapped: true }), silent: true },
  { name: 'silent: some agents', trace: starting(numbers(8)), silent: true },
  {
    name: 'silent: many agents, as requested',
    trace: starting(numbers(24), { user: 'Check every line in parallel.' }),
    silent: true,
  },
  { name: 'silent: three opinions at once', trace: starting([TASK, TASK, TASK], { isAtOnce: true }), silent: true },
  { name: 'silent: a second try', trace: starting([TASK, TASK]), silent: true },
  {
    name: 'silent: one refusal',
    trace: starting(numbers(1), {
      result: '{"status":"forbidden","error":"sessions_spawn has reached max active children"}',
    }),
    silent: true,
  },
  {
    name: 'silent: a list of tasks is not an agent',
    trace: 'agent a\nrepeat 25\n  llm m -> "x"\n  tool TaskCreate {"description":"write the same test again"} -> "ok"',
    silent: true,
  },
];

testDetector(resourceMisallocation, rows);
