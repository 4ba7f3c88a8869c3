import { expect, it } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Checkpoint, Trace } from '../../core/trace.ts';
import { type DetectorRow, rowProblems, testDetector } from '../_testing/tester.ts';
import { addState, addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { stateCorruption } from './detector.ts';

/** A run of nodes that take turns, each leaving the whole state given. */
function stateRun(states: Json[], settings: { failure?: string; threads?: string[]; nodes?: string[] } = {}): Trace {
  const draft = emptyDraft();
  const nodes = settings.nodes ?? ['planner', 'worker'];
  for (const [at, state] of states.entries()) {
    const node = nodes[at % nodes.length]!;
    addStep(draft, { kind: 'chain', name: node, agent: node, node });
    addState(draft, state);
    const thread = settings.threads?.[at];
    if (thread !== undefined) draft.states.at(-1)!.threadId = thread;
  }
  if (settings.failure !== undefined) {
    addStep(draft, {
      kind: 'chain',
      name: 'report',
      node: 'report',
      error: { type: 'KeyError', message: settings.failure },
    });
  }
  return finishTrace(draft);
}

/** A run whose third state lacks `order_id`, and a call after it. */
function calledWith(args: JsonObject): Trace {
  const draft = emptyDraft();
  for (const [at, state] of orderStates().slice(0, 4).entries()) {
    addStep(draft, { kind: 'chain', name: 'worker', agent: 'worker', node: 'worker' });
    const { order_id: id, ...rest } = state;
    addState(draft, at < 2 ? { order_id: id!, ...rest } : rest);
  }
  const tool = { id: null, name: 'charge', arguments: args, result: 'ok' };
  addStep(draft, { kind: 'tool', agent: 'worker', tool, output: 'ok' });
  return finishTrace(draft);
}

/** An order that is worked on: a healthy run in six whole states; each mutation changes one field. */
function orderStates(): JsonObject[] {
  return [1, 2, 3, 4, 5, 6].map((step) => ({
    order_id: 'ord-7781',
    customer: { name: 'Ada Berg', tier: 'gold' },
    total: 41.5,
    items: ['lamp', 'cable'],
    confidence: 0.2 + step / 10,
    progress: step * 15,
    step,
    messages: Array.from({ length: step }, (_, at) => ({ id: `m${at}`, content: `note ${at}` })),
    next: step < 6 ? 'worker' : null,
  }));
}

/** A run of five supersteps with a checkpoint after each, changed as given, and the other rows of the thread. */
function savedRun(change: (saved: Checkpoint[]) => void = () => {}, others: Partial<Checkpoint>[] = []): Trace {
  const trace = stateRun(orderStates());
  const saved = trace.states.map((_, at) => checkpoint(at));
  change(saved);
  const states = trace.states.map((snapshot, at) => ({ ...snapshot, checkpointId: `c${at}` }));
  const othersOfThread = others.map((other) => ({ ...checkpoint(0), isOwn: false, ...other }));
  return { ...trace, states, checkpoints: [...othersOfThread, ...saved] };
}

function checkpoint(at: number): Checkpoint {
  const parentId = at === 0 ? null : `c${at - 1}`;
  const source = at === 0 ? 'input' : 'loop';
  return {
    id: `c${at}`,
    parentId,
    superstep: at - 1,
    source,
    atMs: 1000 * (at + 1),
    done: [],
    failed: [],
    isOwn: true,
  };
}

/** The first run of a thread: two checkpoints, and this run continues from the first of them. */
const PASSED: Partial<Checkpoint>[] = [
  { id: 'b0', parentId: null, atMs: 1, superstep: 0, source: 'loop' },
  { id: 'b1', parentId: 'b0', atMs: 2, superstep: 1, source: 'loop' },
];
const onFirst =
  (source: string) =>
  ([first]: Checkpoint[]): void =>
    void Object.assign(first!, { parentId: 'b0', source });

/** Nodes that carry only the id of the checkpoint they worked on. */
function idRun(ids: string[]): Trace {
  const trace = stateRun(orderStates().slice(0, ids.length));
  const states = trace.states.map((snapshot, at) => ({ ...snapshot, checkpointId: ids[at]!, threadId: 't' }));
  return { ...trace, states };
}

/** An approval that mails first, stops for a person, and is resumed. */
function resumedRun(first: string, second: string, stop: 'pause' | 'error' | null, name = 'send_mail'): Trace {
  const draft = emptyDraft();
  draft.framework = 'langgraph';
  for (const [at, mail] of [first, second].entries()) {
    const facts = at === 0 && stop === 'pause' ? { isInterrupted: true as const } : {};
    const error = at === 0 && stop === 'error' ? { type: 'KeyError', message: "'rate'" } : null;
    const visit = addStep(draft, {
      kind: 'chain',
      name: 'approval',
      node: 'approval',
      agent: 'approval',
      facts,
      error,
    });
    const tool = { id: null, name, arguments: { to: mail }, result: 'sent' };
    addStep(draft, { kind: 'tool', agent: 'approval', parent: visit, tool, output: 'sent' });
    addState(draft, { mail, at });
  }
  return finishTrace(draft);
}

const TIMED = (at: number) => `1f0e0000-000${at}-6000-8000-000000000000`;

const checkpointRows: DetectorRow[] = [
  { name: 'checkpoints one after the other', trace: savedRun(), silent: true },
  {
    name: 'stale_checkpoint: a new run after an older checkpoint',
    trace: savedRun(onFirst('input'), PASSED),
    fires: [{ subtype: 'stale_checkpoint', step: 0, severity: 'warning', text: '1 later checkpoint' }],
    isPrefixInvariant: false,
  },
  {
    name: 'stale_checkpoint: while the other run still writes',
    trace: savedRun(onFirst('input'), [...PASSED, { id: 'b2', parentId: 'b1', atMs: 9000, source: 'loop' }]),
    fires: [{ subtype: 'stale_checkpoint', text: 'still writing' }],
    isPrefixInvariant: false,
  },
  {
    name: 'a fork is intended',
    trace: savedRun(onFirst('fork'), PASSED),
    silent: true,
  },
  {
    name: 'a message edited in the chat window',
    trace: savedRun(onFirst('input'), [PASSED[0]!, { ...PASSED[1], source: 'input' }]),
    silent: true,
  },
  {
    name: 'a message edited directly after its first version',
    trace: savedRun(onFirst('input'), [{ ...PASSED[0], source: 'input' }, PASSED[1]!]),
    silent: true,
  },
  {
    name: 'stale_checkpoint: another answer requested from there is info',
    trace: savedRun(onFirst('loop'), [{ ...PASSED[0], done: ['writer'] }, PASSED[1]!]),
    fires: [{ subtype: 'stale_checkpoint', severity: 'info' }],
    isPrefixInvariant: false,
  },
  { name: 'a run after the newest checkpoint', trace: savedRun(onFirst('input'), [PASSED[0]!]), silent: true },
  {
    name: 'stale_checkpoint: an older checkpoint comes back',
    trace: idRun(['k-1', 'k-2', 'k-3', 'k-1']),
    fires: [{ subtype: 'stale_checkpoint', step: 3, text: 'older than the k-3' }],
  },
  {
    name: 'stale_checkpoint: an id that was made before the one in use',
    trace: idRun([TIMED(2), TIMED(4), TIMED(3)]),
    fires: [{ subtype: 'stale_checkpoint', step: 2 }],
  },
  { name: 'increasing ids', trace: idRun([TIMED(2), TIMED(3), TIMED(4)]), silent: true },
  { name: 'nodes of one superstep share a checkpoint', trace: idRun(['k-1', 'k-1', 'k-2', 'k-2']), silent: true },
  {
    name: 'checkpoint_lost: one between two',
    trace: savedRun((saved) => void saved.splice(2, 1)),
    fires: [{ subtype: 'checkpoint_lost', step: 3, severity: 'warning', text: 'no longer has' }],
    isPrefixInvariant: false,
  },
  {
    name: 'checkpoint_lost: a step number goes back',
    trace: savedRun((saved) => void Object.assign(saved[5]!, { superstep: 2 })),
    fires: [{ subtype: 'checkpoint_lost', step: 5, text: 'already had step 3' }],
    isPrefixInvariant: false,
  },
  {
    name: 'a run that is saved only at its end',
    trace: savedRun((saved) => void saved.splice(1, 4, { ...checkpoint(5), parentId: 'c0', superstep: 4 })),
    silent: true,
  },
  {
    name: 'a list that was filtered when it was fetched',
    trace: savedRun((saved) => void saved.splice(0, 6, ...[0, 2, 4, 5].map(checkpoint))),
    silent: true,
  },
  {
    name: 'writes_dropped: new input after one of two branches had failed',
    trace: savedRun(onFirst('input'), [{ ...PASSED[0], done: ['research'], failed: ['facts'] }]),
    fires: [{ subtype: 'writes_dropped', step: 0, text: 'research had answered and facts had failed' }],
    isPrefixInvariant: false,
  },
  {
    name: 'a failed branch is resumed',
    trace: savedRun(onFirst('loop'), [{ ...PASSED[0], done: ['research'], failed: ['facts'] }]),
    silent: true,
  },
  {
    name: 'new input after a superstep that failed as a whole',
    trace: savedRun(onFirst('input'), [{ ...PASSED[0], failed: ['facts'] }]),
    silent: true,
  },
  {
    name: 'effect_repeated: a mail before the interrupt',
    trace: resumedRun('ada@example.org', 'ada@example.org', 'pause'),
    fires: [{ subtype: 'effect_repeated', step: 3, agent: 'approval', severity: 'warning', text: 'send_mail' }],
  },
  {
    name: 'silent: control is handed over by a tool named after its receiver, which ends the node with an exception',
    trace: resumedRun('ada@example.org', 'ada@example.org', 'error', 'transfer_to_writer'),
    silent: true,
  },
  {
    name: 'effect_repeated: a node that failed after its mail',
    trace: resumedRun('ada@example.org', 'ada@example.org', 'error'),
    fires: [{ subtype: 'effect_repeated', step: 3 }],
  },
  {
    name: 'another mail after the interrupt',
    trace: resumedRun('ada@example.org', 'bo@example.org', 'pause'),
    silent: true,
  },
  { name: 'two visits that both ended', trace: resumedRun('ada@example.org', 'ada@example.org', null), silent: true },
];

type Mutation = (states: JsonObject[]) => void;

function mutated(mutate: Mutation): Trace {
  const states = orderStates();
  mutate(states);
  return stateRun(states);
}

/** From snapshot 3 on, as a fault stays in the state. */
const fromThird =
  (change: (state: JsonObject, at: number) => void): Mutation =>
  (states) =>
    states.slice(3).forEach(change);

const mutations: [string, string, Mutation][] = [
  [
    'type_change',
    'a total becomes text',
    fromThird((state) => {
      state.total = '41.50 EUR';
    }),
  ],
  [
    'type_change',
    'a list becomes text',
    fromThird((state) => {
      state.items = 'lamp, cable';
    }),
  ],
  [
    'type_change',
    'an object becomes text',
    fromThird((state) => {
      state.customer = '[object Object]';
    }),
  ],
  [
    'type_change',
    'a nested field becomes a list',
    fromThird((state) => {
      state.customer = { name: ['Ada Berg'], tier: 'gold' };
    }),
  ],
  [
    'field_vanished',
    'an identity is dropped',
    fromThird((state) => {
      delete state.order_id;
    }),
  ],
  [
    'field_vanished',
    'a list is dropped',
    fromThird((state) => {
      delete state.items;
    }),
  ],
  [
    'field_vanished',
    'a nested field is dropped',
    fromThird((state) => {
      state.customer = { name: 'Ada Berg' };
    }),
  ],
  [
    'field_nulled',
    'an identity is nulled',
    fromThird((state) => {
      state.order_id = null;
    }),
  ],
  [
    'bounds',
    'a confidence above one',
    fromThird((state) => {
      state.confidence = 85;
    }),
  ],
  [
    'bounds',
    'progress above 100',
    fromThird((state) => {
      state.progress = 140;
    }),
  ],
  [
    'bounds',
    'a total below zero',
    fromThird((state) => {
      state.total = -41.5;
    }),
  ],
  [
    'bounds',
    'a total that is not a number',
    fromThird((state) => {
      state.total = 'NaN';
    }),
  ],
  [
    'list_shrunk',
    'the history is replaced by the newest message',
    fromThird((state, at) => {
      state.messages = [{ id: `n${at}`, content: 'only the answer' }];
    }),
  ],
];

const rows: DetectorRow[] = [
  ...mutations.map(
    ([subtype, name, mutate]): DetectorRow => ({
      name: `mutation: ${name}`,
      trace: mutated(mutate),
      // Info: what a later step does with it shows whether it is a fault. NaN is a fault by itself.
      fires: [
        {
          subtype,
          step: 3,
          agent: 'worker',
          severity: /not a number|nulled|becomes text/.test(name) || subtype === 'list_shrunk' ? 'warning' : 'info',
        },
      ],
    }),
  ),
  {
    name: 'mutation: the step counter goes back',
    trace: mutated((states) => {
      states[5]!.step = 3;
    }),
    fires: [{ subtype: 'counter_regression', step: 5, agent: 'worker', text: 'was 5 and is now 3' }],
  },
  { name: 'the unchanged run', trace: stateRun(orderStates()), silent: true },
  {
    name: 'a lost field that makes a later step fail is critical',
    trace: stateRun(
      orderStates().map((state, at) =>
        at < 3 ? state : Object.fromEntries(Object.entries(state).filter(([key]) => key !== 'items')),
      ),
      { failure: "'items' is missing from the state" },
    ),
    fires: [{ subtype: 'field_vanished', step: 3, severity: 'critical', text: '`items` was lost' }],
  },
  {
    name: 'a type that makes a later step fail is a warning',
    trace: stateRun(
      orderStates().map((state, at) => (at < 3 ? state : { ...state, total: '41.50 EUR' })),
      { failure: "TypeError: unsupported operand for 'total': str" },
    ),
    fires: [{ subtype: 'type_change', step: 3, severity: 'warning', text: '`total` turned' }],
  },
  {
    name: 'a lost field that a later call needs is critical',
    trace: calledWith({ total: 41.5, order_id: null }),
    fires: [{ subtype: 'field_vanished', step: 2, severity: 'critical', text: '`order_id` was lost' }],
    isPrefixInvariant: false,
  },
  {
    name: 'a field that a node removes after its use is info',
    trace: calledWith({ total: 41.5 }),
    fires: [{ subtype: 'field_vanished', step: 2, severity: 'info' }],
    isPrefixInvariant: false,
  },
  {
    name: 'a load above 100 % of two processors is info',
    trace: stateRun([40, 90, 180].map((cpu_percent) => ({ host: 'db-1', cpu_percent }))),
    fires: [{ subtype: 'bounds', step: 2, severity: 'info', text: 'that all its earlier values kept' }],
  },
  {
    name: 'a record that becomes a sentence is info',
    trace: stateRun([
      { request: 'r-1', decision: { route: 'sales' } },
      { request: 'r-1', decision: 'approved by sales' },
    ]),
    fires: [{ subtype: 'type_change', step: 1, severity: 'info' }],
  },
  {
    name: 'two fields of one write are one detection',
    trace: mutated(
      fromThird((state) => {
        state.total = 'unknown';
        state.items = 'none';
      }),
    ),
    fires: [{ subtype: 'type_change', text: 'also damaged' }],
  },
  {
    name: 'null becomes a value',
    trace: mutated((states) =>
      states.slice(0, 3).forEach((state) => {
        state.total = null;
      }),
    ),
    silent: true,
  },
  {
    name: 'a placeholder becomes a value',
    trace: mutated((states) =>
      states.slice(0, 3).forEach((state) => {
        state.customer = '';
      }),
    ),
    silent: true,
  },
  {
    name: 'text is parsed into a number',
    trace: mutated((states) =>
      states.slice(0, 3).forEach((state) => {
        state.total = '41.5';
      }),
    ),
    silent: true,
  },
  {
    name: 'text is parsed into an object',
    trace: mutated((states) =>
      states.slice(0, 3).forEach((state) => {
        state.customer = '{"name":"Ada"}';
      }),
    ),
    silent: true,
  },
  {
    name: 'a whole number becomes a fraction',
    trace: mutated((states) =>
      states.slice(0, 3).forEach((state) => {
        state.total = 41;
      }),
    ),
    silent: true,
  },
  {
    name: 'a union type that keeps alternating',
    trace: stateRun([1, 2, 3, 4, 5, 6].map((at) => ({ id: 'a', kind: 'b', value: at % 2 ? 1 : 'one' }))),
    silent: true,
  },
  {
    name: 'control fields come and go',
    trace: mutated((states) =>
      states.forEach((state, at) => {
        if (at % 2) {
          delete state.next;
        } else {
          state.tmp_rows = [1];
        }
      }),
    ),
    silent: true,
  },
  {
    name: 'an error is cleared',
    trace: mutated((states) => {
      states.forEach((state, at) => {
        state.error = at === 2 ? 'timeout' : null;
      });
    }),
    silent: true,
  },
  {
    name: 'a retry counter is set back on success',
    trace: mutated((states) =>
      states.forEach((state, at) => {
        state.retry_count = at % 5;
      }),
    ),
    silent: true,
  },
  {
    name: 'an inner loop restarts its counter',
    trace: mutated((states) =>
      states.forEach((state, at) => {
        state.iteration = (at % 4) + 1;
      }),
    ),
    silent: true,
  },
  {
    name: 'a stock that decreases',
    trace: mutated((states) =>
      states.forEach((state, at) => {
        state.stock_left = [3, 4, 6, 8, 5, 2][at]!;
      }),
    ),
    silent: true,
  },
  {
    name: 'a price that changes in both directions',
    trace: mutated((states) =>
      states.forEach((state, at) => {
        state.quote = [10, 12, 15, 16, 11, 12][at]!;
      }),
    ),
    silent: true,
  },
  {
    name: 'a field is renamed',
    trace: mutated(
      fromThird((state) => {
        state.lines = state.items!;
        delete state.items;
      }),
    ),
    silent: true,
  },
  {
    name: 'nodes that report only what they wrote',
    trace: stateRun([
      { plan: 'a', messages: ['1'] },
      { draft: 'text', messages: ['2'] },
      { plan: 'b', messages: ['3'] },
      { draft: 'other', messages: ['4'] },
      { review: 'ok', score: 0.9 },
    ]),
    silent: true,
  },
  {
    name: 'one node, optional members of its own output',
    trace: stateRun(
      [
        { draft: 'a', n: 1, note: 'x' },
        { draft: 'b', n: 2 },
        { draft: 'c', n: 3, note: 'y' },
        { draft: 'd', n: 4 },
      ],
      { nodes: ['writer'] },
    ),
    silent: true,
  },
  {
    name: 'each node has its own kind of output',
    trace: stateRun([{ output: 'text' }, { output: { a: 1 } }, { output: 'text' }, { output: ['x'] }]),
    silent: true,
  },
  {
    name: 'a new thread begins at one',
    trace: stateRun([...orderStates().slice(0, 5), ...orderStates().slice(0, 3)], { threads: [...'aaaaabbb'] }),
    silent: true,
  },
  {
    name: 'an earlier checkpoint is restored',
    trace: stateRun([...orderStates().slice(0, 5), orderStates()[1]!, orderStates()[2]!]),
    silent: true,
  },
  {
    name: 'the last snapshot is the output schema',
    trace: stateRun([...orderStates(), { order_id: 'ord-7781', total: 41.5 }]),
    silent: true,
  },
  {
    name: 'a history is summarized',
    trace: mutated(
      fromThird((state) => {
        state.messages = [{ id: 's', content: 'Summary of the conversation so far' }];
      }),
    ),
    silent: true,
  },
  {
    name: 'a history keeps its newest entries only',
    trace: mutated((states) =>
      states.forEach((state, at) => {
        state.messages = (orderStates()[at]!.messages as Json[]).slice(at > 3 ? -2 : 0);
      }),
    ),
    silent: true,
  },
  {
    name: 'a change that may have any sign',
    trace: mutated((states) =>
      states.forEach((state, at) => {
        state.price_change_percent = at < 3 ? 20 : -240;
      }),
    ),
    silent: true,
  },
  {
    name: 'a map of records loses one',
    trace: mutated((states) =>
      states.forEach((state, at) => {
        state.sessions = at < 3 ? { 'a-10': 'x', 'b-11': 'y' } : { 'a-10': 'x' };
      }),
    ),
    silent: true,
  },
  { name: 'no states', trace: 'llm gpt-4o -> "hello"', notApplicable: true },
];

testDetector(stateCorruption, [...rows, ...checkpointRows], { readme: new URL('./README.md', import.meta.url) });

it('a row with too many expectations fails', () => {
  expect(
    rowProblems(stateCorruption, { name: 'planted', trace: stateRun(orderStates()), fires: [{ subtype: 'bounds' }] }),
  ).not.toEqual([]);
});
