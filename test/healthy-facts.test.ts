import { expect, test } from 'vitest';
import type { Trace } from '../src/core/trace.ts';
import { alarmsOf } from './support/alarms.ts';
import { TraceBuilder } from './support/trace-builder.ts';

const alarms = (trace: Trace | string) =>
  alarmsOf(trace).map(({ type, subtype, severity }) => `${type}/${subtype} ${severity}`);

const BOOK_SCHEMA = '{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}';
const SHELL = 'offers bash {"type":"object","properties":{"command":{"type":"string"}}}';
const LINES = JSON.stringify({ path: 'src/cart.py', new: 'total += item.price\n'.repeat(40) });

const guarded = (check: 'before' | 'after', answer: string) => {
  const builder = new TraceBuilder().agent('clerk').user('Which trains go to Kiel, and who is to blame?');
  const guard = { kind: 'guardrail', name: 'topic', output: '{"passed":false}' } as const;
  return check === 'before' ? builder.step(guard).llm(answer).build() : builder.llm(answer).step(guard).build();
};

/** A pause and a look at the tide, six times; the pause tool sleeps for the requested time or returns at once. */
const monitoring = (pauseMs: number) => {
  const builder = new TraceBuilder().agent('watch').user('Say when the tide turns, at the latest after six minutes.');
  for (let round = 0; round < 6; round += 1)
    builder
      .llm('', { facts: {} })
      .tool('pauza', { minuty: 1 }, 'ok', { durationMs: pauseMs })
      .llm('', { facts: {} })
      .tool('stan_wody', { port: 'Sund' }, 'The water stands at 41 cm and does not move.');
  return builder.llm('The tide has not turned in six minutes.').build();
};

const STALE =
  'Traceback (most recent call last):\\n  File \\"fare.py\\", line 3, in price\\nValueError: the fare is charged once';
const versions = (change: (n: number) => string) =>
  [
    'user "Show that the fault is in 1.0, 1.1 and 1.2."',
    'agent dev',
    ...[0, 1, 2].flatMap((n) => [
      change(n),
      'tool bash {"command":"python fare.py"} -> "STALE"'.replace('STALE', STALE),
    ]),
    'llm m -> "All three releases have the fault."',
  ].join('\n');

/** A harness whose agent has a tool to read and one to submit, and optionally one to write. */
const explained = (more: string) =>
  `task "What does price() return for a return trip?"\noffers open {"type":"object","properties":{"path":{"type":"string"}}}\n${more}agent dev\ntool open {"path":"ferry/fares/price.py"} -> "1: def price(trip):\\n2:   return trip.fare"\ntool submit -> ""`;

/** A healthy run that was flagged, and a run that differs in what makes it a failure. */
const PAIRS: [name: string, healthy: Trace | string, failing: Trace | string, found: string][] = [
  [
    'a failed check of the input is followed by a refusal; a rejected answer goes out',
    guarded('before', 'Ich spreche nur über Züge.'),
    guarded('after', 'The minister is to blame, and the trains leave at nine.'),
    'output_validation/failed_check_ignored critical',
  ],
  [
    'a check after each pause of the requested minute; the same without a pause',
    monitoring(60_000),
    monitoring(800),
    'loop/cyclic critical',
  ],
  [
    'a fault is shown in three releases; it stays after three edits',
    versions((n) => `tool bash {"command":"git checkout v1.${n}"} -> "HEAD is now at v1.${n}"`),
    versions((n) => `tool bash {"command":"sed -i s/${n}/${n + 1}/ fare.py"} -> ""`),
    'loop/unmoved_check warning',
  ],
  [
    'no tool that was offered can change a file; one can',
    explained(''),
    explained(
      'offers schreiben {"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}}}\n',
    ),
    'quality_gate/nothing_changed critical',
  ],
  [
    'the tool accepts a call without a required argument; the call fails',
    `offers book ${BOOK_SCHEMA}\nagent clerk\nllm gpt-4o -> "I book it." calls book {"seats":2}\ntool book {"seats":2} -> "booked"\nllm gpt-4o -> "Two seats are booked."`,
    `offers book ${BOOK_SCHEMA}\nagent clerk\nllm gpt-4o -> "I book it." calls book {"seats":2}\ntool book {"seats":2} !! ValidationError: day is required`,
    'output_validation/arguments_off_schema warning',
  ],
  [
    'one long summary that finished; a conversation that runs on with a full window',
    'agent reader\nuser "Summarise the book."\nllm gpt-4o 118900/300 -> "The book is about tides."',
    'running\nagent reader\nuser "Read on."\nllm gpt-4o 90000/300 -> "The first part of the book is about tides."\nllm gpt-4o 118900/300 -> "The second part of the book is about ferries."',
    'context_overflow/at_limit critical',
  ],
  [
    'a node removes a field after its use; a later node fails over it',
    'node collect\nstate {"task":"t","outline":"a","rows":[1]}\nnode write\nstate {"task":"t","outline":"a","rows":[1],"report":"r"}\nnode clean\nstate {"task":"t","rows":[1],"report":"r"}\nnode send\nstate {"task":"t","rows":[1],"report":"r","sent":true}',
    'node collect\nstate {"task":"t","outline":"a","rows":[1]}\nnode write\nstate {"task":"t","outline":"a","rows":[1],"report":"r"}\nnode clean\nstate {"task":"t","rows":[1],"report":"r"}\nnode send !! KeyError: \'outline\'',
    'state_corruption/field_vanished critical',
  ],
  [
    'a load above 100 % of two processors; a total that is no number',
    'node probe\nstate {"host":"a","cpu_percent":40}\nnode probe\nstate {"host":"b","cpu_percent":90}\nnode probe\nstate {"host":"c","cpu_percent":180}',
    'node probe\nstate {"host":"a","total":40}\nnode probe\nstate {"host":"b","total":90}\nnode probe\nstate {"host":"c","total":"NaN"}',
    'state_corruption/bounds warning',
  ],
  [
    'the end word in German; a misspelt node',
    'node planner\nstate {"next":"writer"}\nnode writer -> "The text."\nstate {"next":"FERTIG"}',
    'graph planner -> researcher\nnode planner goto reseacher',
    'workflow_design/dangling_route critical',
  ],
  [
    'a node that only code routes to',
    'framework langgraph\ngraph start -> write\ngraph review -> write\nnode start\nnode write -> "The text."',
    'framework n8n\ngraph start -> write\ngraph review -> publish\nnode start\nnode write -> "The text."',
    'workflow_design/unreachable_node warning',
  ],
  [
    'an agent without a tool that runs anything; one with a shell that it did not use',
    `agent dev\nuser "Use the price of the item."\ntool edit_file ${LINES} -> "ok"\nllm gpt-4o -> "The total uses the price of the item."`,
    `${SHELL}\nagent dev\nuser "Use the price of the item."\ntool edit_file ${LINES} -> "ok"\nllm gpt-4o -> "The total uses the price of the item."`,
    'quality_gate/nothing_run warning',
  ],
  [
    'a failing test was requested; a change leaves tests failing',
    'agent dev\nuser "Write a failing test that reproduces bug 7."\ntool edit_file {"path":"tests/test_cart.py","new":"assert 1"} -> "ok"\ntool bash {"command":"pytest tests"} -> "1 failed, 7 passed in 1.1s"\nllm gpt-4o -> "The test reproduces the bug."',
    'agent dev\nuser "Correct bug 7."\ntool edit_file {"path":"src/cart.py","new":"return 1"} -> "ok"\ntool bash {"command":"pytest tests"} -> "1 failed, 7 passed in 1.1s"\nllm gpt-4o -> "The sum is computed from the list."',
    'quality_gate/failing_tests_left warning',
  ],
  [
    'a service reports the tests; no result does',
    'agent dev\ntool edit_file {"path":"src/cart.py","new":"return 1"} -> "ok"\ntool ci_pipeline {"branch":"b"} -> "all 120 tests passed"\nllm gpt-4o -> "All tests pass in CI."',
    'agent dev\ntool edit_file {"path":"src/cart.py","new":"return 1"} -> "ok"\nllm gpt-4o -> "All tests pass in CI."',
    'completion/tests_claimed_not_run warning',
  ],
  [
    'the user names the folder in Polish; in English another one',
    'in "/srv/shop"\nagent dev\nuser "Usuń katalog /srv/old-data"\ntool Bash {"command":"rm -rf /srv/old-data"} -> ""\nllm m -> "Gotowe."',
    'in "/srv/shop"\nagent dev\nuser "Make the return fare twice the single fare."\ntool Bash {"command":"rm -rf /srv/old-data"} -> ""\nllm m -> "Done."',
    'role_usurpation/destructive_command warning',
  ],
];

test.each(PAIRS)('%s', (_, healthy, failing, found) => {
  expect(alarms(healthy)).toEqual([]);
  expect(alarms(failing)).toContain(found);
});

const tasks = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `tool task {"prompt":"Review module ${at} of the shop"} -> "Module ${at} is fine."`,
  );

test.each<[string, string]>([
  [
    'four books, an agent each',
    [30_000, 50_000, 70_000, 90_000]
      .map(
        (tokens, at) =>
          `agent reader${at}\nllm gpt-4o ${tokens}/300 -> "Book ${at} is about ${'tides ferries whales ports'.split(' ')[at]}."`,
      )
      .join('\n'),
  ],
  [
    'two agents vote',
    'agent a\ntool submit_vote {"choice":"A"} -> "counted"\nagent b\ntool submit_vote {"choice":"A"} -> "counted"',
  ],
  [
    'two approvals',
    'agent a\ntool approve {"change":"c-17"} -> "approved"\nagent b\ntool approve {"change":"c-17"} -> "approved"',
  ],
  [
    'two agents look at the weather',
    'agent a\ntool weather {"city":"Rome"} -> "sunny"\nagent b\ntool weather {"city":"Rome"} -> "sunny"',
  ],
  [
    'a record becomes a sentence',
    'node a\nstate {"id":"r","decision":{"route":"sales"}}\nnode b\nstate {"id":"r","decision":"approved by sales"}',
  ],
  ['a handoff out of the run', 'node desk\nstate {"active_agent":"billing_team"}'],
  ['a plan in the state', 'node a\nstate {"next_step":"draw_form"}\nnode b\nstate {"next_step":"send_form"}'],
  [
    'twenty subagents with a task each',
    `agent main\nuser "Review our modules."\nllm m -> "I start."\n${tasks(20).join('\n')}\nllm m -> "All are fine."`,
  ],
  [
    'nothing found, reported in German',
    'agent guide\nuser "Wie lange kann ich einen Kessel umtauschen?"\nretrieval "Umtausch Kessel" -> []\nllm gpt-4o -> "Dazu habe ich in den Unterlagen nichts gefunden."',
  ],
  ['a greeting', 'agent guide\nuser "hello"\nretrieval "hello" -> []\nllm gpt-4o -> "Hello!"'],
  [
    'an issue about JSON',
    'task "The endpoint should return valid JSON for an empty list, but the JSONField gives an empty body."\nagent guide\nllm gpt-4o -> "The serializer returns None for an empty list."',
  ],
])('no alarm: %s', (_, trace) => {
  expect(alarms(trace)).toEqual([]);
});

test('a configured backup model that answers raises no alarm; a fixed text instead of an answer does', () => {
  const ask = (tookOver: boolean) => {
    const error = { type: '529', message: 'Overloaded' };
    const inputMessages = [
      { role: 'user', name: null, content: 'Is basil perennial?', toolCalls: [], toolCallId: null },
    ];
    const facts = tookOver ? { errorFallback: 'default_value' as const } : {};
    const builder = new TraceBuilder().agent('desk').llm('', { model: 'claude-sonnet-4', error, inputMessages, facts });
    return (tookOver ? builder : builder.llm('It is not.', { model: 'gpt-4o', inputMessages })).build();
  };
  expect(alarms(ask(false)).filter((label) => label.includes('model_fallback'))).toEqual([]);
  expect(alarms(ask(true))).toContain('resource_misallocation/model_fallback warning');
});

test('a false claim about failing tests and their repetition are two detections', () => {
  const run = 'tool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"';
  const trace = `agent dev
user "Correct bug 7."
tool edit_file {"path":"src/cart.py","new":"return 1"} -> "ok"
${run}
${run}
${run}
${run}
llm gpt-4o -> "All tests pass now."`;
  expect(alarms(trace).toSorted()).toEqual([
    'completion/tests_claimed_despite_failure critical',
    'loop/exact_repetition warning',
  ]);
});
