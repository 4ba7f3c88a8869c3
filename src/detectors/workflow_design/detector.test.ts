import { expect, it } from 'vitest';
import type { Fix } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { Trace, WorkflowNode } from '../../core/trace.ts';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, NO_MODELS, rowProblems, testDetector } from '../_testing/tester.ts';
import { addState, addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { workflowDesign } from './detector.ts';

/** Two branches below one root that run at the same time; each leaves a state. */
function branches(
  base: Json,
  left: Json,
  right: Json,
  settings: { durationMs?: number; node?: string; joined?: Json } = {},
): Trace {
  const draft = emptyDraft();
  addStep(draft, { kind: 'chain', name: 'graph', durationMs: 60_000 });
  addStep(draft, { kind: 'chain', name: 'start', node: 'start', parent: 0 });
  addState(draft, base);
  for (const [node, state] of [
    ['left', left],
    [settings.node ?? 'right', right],
  ] as const) {
    addStep(draft, {
      kind: 'chain',
      name: node,
      node,
      agent: node,
      parent: 0,
      durationMs: settings.durationMs ?? 5000,
    });
    addState(draft, state);
  }
  if (settings.joined !== undefined) {
    const startMs = draft.steps.at(-1)!.endMs!;
    const join = addStep(draft, { kind: 'chain', name: 'join', node: 'join', parent: 0 });
    Object.assign(draft.steps[join]!, { startMs, endMs: startMs + 800 });
    addState(draft, settings.joined);
  }
  return finishTrace(draft);
}

/** A run of the declared workflow, with the framework and the node types given. */
function declared(text: { nodes: WorkflowNode[]; edges: string[]; run: string[]; framework?: string }): Trace {
  const draft = emptyDraft();
  draft.framework = text.framework ?? 'langgraph';
  addStep(draft, { kind: 'chain', name: 'workflow', durationMs: 60_000 });
  for (const node of text.run) addStep(draft, { kind: 'chain', name: node, node, parent: 0 });
  const edges = text.edges.map((edge) => edge.split('>') as [string, string]).map(([from, to]) => ({ from, to }));
  draft.graph = { nodes: text.nodes, edges };
  return finishTrace(draft);
}

const entry = (name: string): WorkflowNode => ({ name, type: 'trigger', isEntry: true });
const node = (name: string, type = 'node'): WorkflowNode => ({ name, type, isEntry: false });

/** A workflow of n8n: a trigger, two services, and whether anything follows them. */
function services(settings: { hasErrorHandler?: boolean; isGuarded?: boolean; failed?: string; ran?: boolean }): Trace {
  const draft = emptyDraft();
  draft.framework = 'n8n';
  const error = settings.failed === undefined ? null : { type: '503', message: 'Service Unavailable' };
  const parent = addStep(draft, { kind: 'chain', name: 'orders', error });
  if (settings.ran === true || error !== null)
    for (const name of ['Hook', 'Crm', 'Mail'])
      addStep(draft, { kind: 'other', name, node: name, parent, error: settings.failed === name ? error : null });
  const isGuarded = settings.isGuarded ?? false;
  const node = (name: string, callsOut: boolean): WorkflowNode => ({
    name,
    type: 'x',
    isEntry: !callsOut,
    callsOut,
    isGuarded,
  });
  const { hasErrorHandler } = settings;
  draft.graph = {
    nodes: [node('Hook', false), node('Crm', true), node('Mail', true)],
    edges: [
      { from: 'Hook', to: 'Crm' },
      { from: 'Crm', to: 'Mail' },
    ],
    ...(hasErrorHandler === undefined ? {} : { hasErrorHandler }),
  };
  return finishTrace(draft);
}

function withMissingField(
  alike: string | null,
  error: { type: string; message: string } | null = null,
  found = 0,
): Trace {
  const draft = emptyDraft();
  draft.framework = 'n8n';
  const parent = addStep(draft, { kind: 'chain', name: 'orders' });
  const missingFields = [{ path: 'Email', setting: 'toAddress', alike }];
  addStep(draft, { kind: 'tool', name: 'Mail', node: 'Mail', parent, error, facts: { missingFields } });
  for (let run = 0; run < found; run += 1) addStep(draft, { kind: 'tool', name: 'Mail', node: 'Mail', parent });
  return finishTrace(draft);
}

const rows: DetectorRow[] = [
  {
    name: 'no_error_handling: a workflow that has not run',
    trace: services({ hasErrorHandler: false }),
    fires: [{ subtype: 'no_error_handling', step: null, severity: 'info', text: '`Crm`, `Mail` call services' }],
    isPrefixInvariant: false,
  },
  {
    name: 'no_error_handling: a run that ended because of it',
    trace: services({ hasErrorHandler: false, failed: 'Crm' }),
    fires: [{ subtype: 'no_error_handling', step: 2, severity: 'warning', text: 'Crm failed' }],
  },
  {
    name: 'a run that went well without error handling',
    trace: services({ hasErrorHandler: false, ran: true }),
    silent: true,
  },
  { name: 'an error workflow is set', trace: services({ hasErrorHandler: true, failed: 'Crm' }), silent: true },
  {
    name: 'every call handles failures',
    trace: services({ hasErrorHandler: false, isGuarded: true }),
    silent: true,
  },
  { name: 'whether an error workflow is set is not recorded', trace: services({ failed: 'Crm' }), silent: true },
  {
    name: 'missing_field: a misspelt field',
    trace: withMissingField('email'),
    fires: [{ subtype: 'missing_field', step: 1, severity: 'warning', text: 'They have `email`' }],
  },
  {
    name: 'missing_field: a field that may well be absent',
    trace: withMissingField(null),
    fires: [{ subtype: 'missing_field', step: 1, severity: 'info' }],
  },
  { name: 'another run of the node had the field', trace: withMissingField('email', null, 1), silent: true },
  {
    name: 'the node failed because of it',
    trace: withMissingField('email', { type: '400', message: 'no address' }),
    silent: true,
  },
  {
    name: 'a node that no path leads to',
    trace: 'graph start -> plan -> write\ngraph review -> write\nnode start\nnode plan\nnode write -> "done"',
    fires: [{ subtype: 'unreachable_node', step: null, severity: 'info', text: 'A route that code chooses' }],
  },
  {
    name: 'two unreachable nodes are one detection',
    trace: 'graph start -> write\ngraph review -> publish\nnode start\nnode write -> "done"',
    fires: [{ subtype: 'unreachable_node', text: '`review`, `publish`' }],
  },
  {
    name: 'a node without edges that ran is reached in code',
    trace: 'graph start -> write\ngraph review -> write\nnode start\nnode review\nnode write -> "done"',
    silent: true,
  },
  {
    name: 'routes chosen in code are not declared',
    trace: 'graph start -> write\ngraph review -> write\nnode start goto write\nnode write -> "done"',
    silent: true,
  },
  {
    name: 'in n8n, a model is attached to its agent',
    trace: declared({
      framework: 'n8n',
      nodes: [
        entry('Webhook'),
        node('Agent'),
        node('Chat Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi'),
        node('Note', 'n8n-nodes-base.stickyNote'),
      ],
      edges: ['Webhook>Agent', 'Chat Model>Agent'],
      run: ['Webhook', 'Agent'],
    }),
    silent: true,
  },
  {
    name: 'in n8n, a node without edges',
    trace: declared({
      framework: 'n8n',
      nodes: [entry('Webhook'), node('Agent'), node('Send mail')],
      edges: ['Webhook>Agent'],
      run: ['Webhook', 'Agent'],
    }),
    fires: [{ subtype: 'unreachable_node', severity: 'info', text: '`Send mail`' }],
  },
  {
    name: 'in n8n, a node with an edge to another node and none to itself',
    trace: declared({
      framework: 'n8n',
      nodes: [entry('Webhook'), node('Agent'), node('Check'), node('Send mail')],
      edges: ['Webhook>Agent', 'Check>Send mail'],
      run: ['Webhook', 'Agent'],
    }),
    fires: [{ subtype: 'unreachable_node', severity: 'warning', text: '`Check`, `Send mail`' }],
  },
  {
    name: 'a graph without a known entry',
    trace: declared({ nodes: [node('a'), node('b')], edges: [], run: ['a'] }),
    silent: true,
  },
  {
    name: 'a path that stops before the end',
    trace: 'graph start -> sort -> reply -> __end__\ngraph sort -> archive\nnode start\nnode sort\nnode archive',
    fires: [{ subtype: 'dead_end', step: 2, text: 'nothing follows `archive`' }],
  },
  {
    name: 'a workflow without an end node may stop anywhere',
    trace: 'graph start -> sort -> reply\ngraph sort -> archive\nnode start\nnode sort\nnode archive',
    silent: true,
  },
  {
    name: 'a cycle that the recursion limit stopped',
    trace:
      'graph start -> plan -> critic -> plan\nspan graph !! GraphRecursionError: Recursion limit of 25 reached\n  node start\n  node plan\n  node critic\n  node plan',
    fires: [{ subtype: 'cycle_without_exit', step: 2, severity: 'critical', text: '`plan`, `critic`' }],
  },
  {
    name: 'a cycle with an exit',
    trace: 'graph start -> plan -> critic -> plan\ngraph critic -> __end__\nnode start\nnode plan\nnode critic',
    silent: true,
  },
  {
    name: 'a run that left the cycle',
    trace: 'graph start -> plan -> critic -> plan\nnode start\nnode plan\nnode critic -> "done"',
    silent: true,
  },
  {
    name: 'a batch loop ends by its own setting',
    trace: declared({
      framework: 'n8n',
      nodes: [entry('Webhook'), node('Loop', 'n8n-nodes-base.splitInBatches'), node('Work')],
      edges: ['Webhook>Loop', 'Loop>Work', 'Work>Loop'],
      run: ['Webhook'],
    }),
    silent: true,
  },
  {
    name: 'control sent to a node that is not in the graph',
    trace: 'graph router -> writer\nnode router goto writter',
    fires: [{ subtype: 'dangling_route', step: 0, agent: 'router', severity: 'critical', text: '`writter`' }],
  },
  {
    name: 'control sent to a name that never ran, in the last step',
    trace: 'node planner\nnode router goto writter',
    fires: [{ subtype: 'dangling_route', step: 1, severity: 'info', text: 'may also be an end word' }],
  },
  {
    name: 'control sent to a misspelt node',
    trace: 'node researcher\nnode router goto reseacher\nnode writer',
    fires: [{ subtype: 'dangling_route', step: 1, severity: 'warning', text: '`researcher` has a similar name' }],
  },
  {
    name: 'control handed to another system at the end of the run',
    trace: 'graph router -> writer\nnode router goto writer\nnode writer goto billing_team',
    fires: [{ subtype: 'dangling_route', step: 1, severity: 'info', text: 'another system' }],
  },
  {
    name: 'control sent to a node that is not in the graph, and the run continues elsewhere',
    trace: 'graph router -> writer -> mailer\nnode router goto writer\nnode writer goto illustrator\nnode mailer',
    fires: [{ subtype: 'dangling_route', step: 1, severity: 'warning', text: 'continued at another node' }],
  },
  {
    name: 'the state names a node that never runs',
    trace: 'node planner\nstate {"next":"writer"}\nnode writer\nstate {"next":"ilustrator"}',
    fires: [{ subtype: 'dangling_route', step: 1, agent: 'writer', severity: 'info', text: '`ilustrator`' }],
  },
  {
    name: 'the state misspells a node',
    trace:
      'node planner\nstate {"next":"writer"}\nnode writer\nstate {"next":"planer"}\nnode editor\nstate {"next":"END"}',
    fires: [{ subtype: 'dangling_route', step: 1, severity: 'warning', text: '`planner`' }],
  },
  {
    name: 'the state names an end word in German',
    trace: 'node planner\nstate {"next":"writer"}\nnode writer\nstate {"next":"FERTIG"}',
    fires: [{ subtype: 'dangling_route', step: 1, severity: 'info', text: 'may also be an end word' }],
  },
  {
    name: 'the state names a node of several words that never runs',
    trace: 'node planner\nstate {"next":"writer"}\nnode writer\nstate {"next":"Fact Checker"}',
    fires: [{ subtype: 'dangling_route', step: 1, severity: 'info', text: '`Fact Checker`' }],
  },
  {
    name: 'the state names a node in Japanese that never runs',
    trace: 'node planner\nstate {"next":"writer"}\nnode writer\nstate {"next":"検査"}',
    fires: [{ subtype: 'dangling_route', step: 1, severity: 'info', text: '`検査`' }],
  },
  ...['完了', 'Human Review', 'End of run', 'конец'].map((name) => ({
    name: `the state names nodes that run, and then a person or the end: ${name}`,
    trace: `node planner\nstate {"next":"writer"}\nnode writer\nstate {"next":"${name}"}`,
    silent: true as const,
  })),
  {
    name: 'a plan in the state, in several words',
    trace:
      'node planner\nstate {"next_step":"Draw form"}\nnode writer\nstate {"next_step":"Fill form"}\nnode editor\nstate {"next_step":"フォームを送る"}',
    silent: true,
  },
  {
    name: 'a plan in the state',
    trace:
      'node planner\nstate {"next_step":"draw_form"}\nnode writer\nstate {"next_step":"fill_form"}\nnode editor\nstate {"next_step":"send_form"}',
    silent: true,
  },
  {
    name: 'an agent outside of the run is active at its end',
    trace: 'agent desk\nnode desk\nstate {"active_agent":"billing_team"}',
    silent: true,
  },
  {
    name: 'the state names nodes that run, and then the end',
    trace: 'node planner\nstate {"next":"writer"}\nnode writer\nstate {"next":"FINISH"}',
    silent: true,
  },
  {
    name: 'a tool that leads out of the run',
    trace: 'agent a\ntool transfer_to_second_level {} -> "ok"',
    silent: true,
  },
  { name: 'control sent to the end', trace: 'node planner\nnode router goto FINISH', silent: true },
  { name: 'control sent to a person', trace: 'node planner\nnode router goto human_approval', silent: true },
  { name: 'control sent to a node that ran', trace: 'node router goto writer\nnode writer -> "done"', silent: true },
  {
    name: 'control was passed when the run was interrupted',
    trace: 'span graph !! TimeoutError: too long\n  node router goto writer',
    silent: true,
  },
  { name: 'control was passed in a running trace', trace: 'running\nnode router goto writer', silent: true },
  {
    name: 'a node that runs after the end was chosen',
    trace: 'span graph\n  node writer\n  node judge goto __end__\n  node mailer -> "sent"',
    fires: [{ subtype: 'after_end', step: 3, agent: 'mailer', text: 'judge ended the run' }],
  },
  {
    name: 'a new turn after the end',
    trace: 'span graph\n  node judge goto __end__\nspan graph\n  node writer -> "again"',
    silent: true,
  },
  { name: 'nothing after the end', trace: 'span graph\n  node writer\n  node judge goto __end__', silent: true },
  {
    name: 'a failure that bypassed its handler',
    trace:
      'graph start -> fetch -> report\ngraph fetch -> on_error\nspan graph !! TimeoutError: too long\n  node start\n  node fetch !! TimeoutError: too long',
    fires: [{ subtype: 'unhandled_error', step: 2, agent: 'fetch', text: '`on_error`' }],
  },
  {
    name: 'a failure whose handler ran',
    trace:
      'graph start -> fetch -> report\ngraph fetch -> on_error\nspan graph\n  node start\n  node fetch !! TimeoutError: too long\n  node on_error -> "sorry"',
    silent: true,
  },
  {
    name: 'branches that write the same field, of which one is left',
    trace: branches({ price: 10 }, { price: 12 }, { price: 15 }, { joined: { price: 15 } }),
    fires: [
      { subtype: 'conflicting_writes', step: 3, agent: 'right', severity: 'warning', text: '`price`: 12 and 15' },
    ],
  },
  {
    name: 'branches with states of their own',
    trace: branches({ price: 10 }, { price: 12 }, { price: 15 }),
    silent: true,
  },
  {
    name: 'branches with states of their own that are joined',
    trace: branches({ price: 10 }, { price: 12 }, { price: 15 }, { joined: { prices: [12, 15] } }),
    silent: true,
  },
  {
    name: 'branches whose join adds both',
    trace: branches({ price: 10 }, { price: 12 }, { price: 15 }, { joined: { price: 27 } }),
    silent: true,
  },
  {
    name: 'consecutive steps whose times overlap by the rounding of their clock',
    trace: branches({ price: 10 }, { price: 12 }, { price: 15 }, { durationMs: 1, joined: { price: 15 } }),
    silent: true,
  },
  { name: 'branches that agree', trace: branches({ price: 10 }, { price: 12 }, { price: 12 }), silent: true },
  {
    name: 'a branch that only read the field',
    trace: branches({ price: 10 }, { price: 12 }, { price: 10, weight: 3 }, { joined: { price: 12 } }),
    silent: true,
  },
  {
    name: 'branches with fields of their own',
    trace: branches({ price: 10 }, { weight: 12 }, { colour: 'red' }),
    silent: true,
  },
  {
    name: 'branches that write about themselves',
    trace: branches({}, { output: 'a', updated_at: 1 }, { output: 'b', updated_at: 2 }, { joined: { output: 'b' } }),
    silent: true,
  },
  {
    name: 'one after the other',
    trace: branches({ price: 10 }, { price: 12 }, { price: 15 }, { durationMs: 500, joined: { price: 15 } }),
    silent: true,
  },
  {
    name: 'two runs of one node',
    trace: branches({ price: 10 }, { price: 12 }, { price: 15 }, { node: 'left', joined: { price: 15 } }),
    silent: true,
  },
  {
    name: 'a framework that rejects the second write',
    trace: "span graph !! InvalidUpdateError: At key 'price': Can receive only one value per step.\n  node left",
    fires: [{ subtype: 'conflicting_writes', step: 0, severity: 'critical', text: '`price`' }],
  },
];

testDetector(workflowDesign, rows, { readme: new URL('./README.md', import.meta.url) });

it('a dead end gets a patch of the declared edges, except for n8n, which stores them in another form', () => {
  const patches = (framework: string) => {
    const trace = parseTrace(
      `framework ${framework}\ngraph start -> sort -> reply -> __end__\ngraph sort -> archive\nnode start\nnode sort\nnode archive`,
    );
    const fixes: Fix[] = [];
    const options = { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS };
    workflowDesign.detect(trace, options, (draft) => void fixes.push(...draft.fixes));
    return fixes.flatMap(({ changes }) => changes).filter(({ format }) => format === 'json-patch');
  };
  expect(patches('langgraph').map(({ after }) => JSON.parse(after))).toEqual([
    [{ op: 'add', path: '/edges/-', value: { from: 'archive', to: '__end__' } }],
  ]);
  expect(patches('n8n')).toEqual([]);
});

it('a row with too many expectations fails', () => {
  expect(
    rowProblems(workflowDesign, { name: 'planted', trace: 'node a', fires: [{ subtype: 'dead_end' }] }),
  ).not.toEqual([]);
});
