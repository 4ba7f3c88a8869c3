import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import type { Rounds, Trace } from '../../core/trace.ts';
import { messageStep } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { loop } from './detector.ts';

const LONG =
  'I have checked the booking and the seat map once more, and the only thing left is to confirm the aisle seat with the customer.';

/** A proxy without a model that sends the same words until the agent is done. */
function nudged(times: number) {
  return new TraceBuilder()
    .repeat(times, (run, round) =>
      run
        .agent('proxy')
        .step(messageStep('proxy', 'assistant', LONG))
        .agent('solver')
        .llm(`Attempt ${round}.`),
    )
    .build();
}

/** A container of a workflow with as many visits inside as given, and what it reports about its rounds. */
function rounds(visits: number, facts: Partial<Rounds>, hasExit?: boolean): Trace {
  const draft = emptyDraft();
  draft.framework = 'dify';
  const all = { kind: 'items' as const, planned: 4, run: null, returned: null, hasLeftEarly: null, ...facts };
  const settings = { kind: 'other' as const, name: 'Each seed', node: 'Each seed', durationMs: 60_000 };
  const parent = addStep(draft, { ...settings, facts: { rounds: all } });
  for (let round = 0; round < visits; round += 1)
    addStep(draft, {
      kind: 'other',
      name: 'Look up',
      node: 'Look up',
      output: `seed ${round}`,
      parent,
      facts: { round },
    });
  if (hasExit !== undefined)
    draft.graph = { nodes: [{ name: 'Each seed', type: 'loop', isEntry: true, hasExit }], edges: [] };
  return finishTrace(draft);
}

const FULL_LOOP: Partial<Rounds> = { kind: 'loop', run: 4, hasLeftEarly: false };

const SET_SEATS = `agent planner
repeat 9
  llm m calls set_seats {"booking":"B-7","seats":2}
  tool set_seats {"booking":"B-7","seats":2} -> {"booking":"B-7","seats":2,"owner":"Ines Ferro","hall":"the small hall on the first floor"}`;

/** Eight spans of one agent, each with a request, a call with the same result, and an answer. */
function monitored(request: (round: number) => string) {
  const draft = emptyDraft();
  const root = addStep(draft, { kind: 'chain', name: 'watch' });
  for (let round = 0; round < 8; round += 1) {
    const parent = addStep(draft, { kind: 'agent', name: 'monitor', agent: 'monitor', parent: root });
    const inputMessages = [
      { role: 'user' as const, name: null, content: request(round), toolCalls: [], toolCallId: null },
    ];
    const tool = { id: null, name: 'queue_length', arguments: { queue: 'print' }, result: '0' };
    addStep(draft, { kind: 'tool', name: 'queue_length', agent: 'monitor', parent, tool, output: '0' });
    addStep(draft, { kind: 'llm', agent: 'monitor', parent, inputMessages, output: 'The queue is empty.' });
  }
  return finishTrace(draft);
}

const rows: DetectorRow[] = [
  {
    name: 'cyclic: the call of the round that failed is what the advice is about',
    trace: `agent clerk
repeat 4
  llm m -> "Once more."
  tool find "Tide table" -> "The tide table lists high water at nine and at twenty-one, and names the two pilots on duty."
  tool find "Anna Holt], Find[Ben Voss" -> "Nothing is there under this name."`,
    fires: [
      {
        subtype: 'cyclic',
        suggestion: 'Have clerk call find once for each value',
      },
    ],
  },
  {
    name: 'silent: edits of one file return the same long acknowledgement',
    trace: `agent coder
repeat 7
  llm m -> "The next place."
  tool Edit {"file_path":"/home/dev/work/harbour-control-system/src/packages/tide-tables/tables.go","old_string":"level {n}","new_string":"height {n}"} -> "The file /home/dev/work/harbour-control-system/src/packages/tide-tables/tables.go has been updated successfully."
llm m -> "All seven places are renamed."`,
    silent: true,
  },
  {
    name: 'silent: patches in one text argument return the same long acknowledgement',
    trace: `agent coder
repeat 7
  llm m -> "The next place."
  tool apply_patch "*** Begin Patch\\n*** Update File: tables.go\\n@@\\n-level {n}\\n+height {n}\\n*** End Patch" -> "Exit code: 0 Success. Updated the following files: M /home/dev/work/harbour-control-system/src/packages/tables.go"
llm m -> "All seven places are renamed."`,
    silent: true,
  },
  {
    name: 'silent: each of several records is created with the same long acknowledgement',
    trace: `agent clerk
repeat 7
  llm m -> "The next guest."
  tool create_booking {"guest":"guest {n}","cabin":{n}} -> "The booking was created successfully. The guest receives a message with all the details of the passage."
llm m -> "All seven guests are booked."`,
    silent: true,
  },
  {
    name: 'retry_storm: other arguments with the same error are named',
    trace: `agent baker
llm m -> "First try."
tool weigh {"loaf":"rye"} !! "ScaleError: the scale is not connected"
llm m -> "Once more, in grams."
tool weigh {"loaf":"rye","unit":"g"} !! "ScaleError: the scale is not connected"
repeat 4
  llm m -> "And again."
  tool weigh {"loaf":"rye","unit":"kg"} !! "ScaleError: the scale is not connected"
tool bake {"loaf":"rye"} -> "The loaf is in the oven."
tool clean {"table":1} -> "The table is clean."
tool close {"door":1} -> "The door is closed."`,
    fires: [{ subtype: 'retry_storm', text: 'Other arguments had the same error at steps 1 and 3.' }],
  },
  {
    name: 'exact_repetition: other arguments with the same result are named, and a short result of code is quoted as a whole',
    trace: `agent clerk
llm m -> "Plain."
tool bash {"command":"sort days.txt"} -> "no days\\nsort: days.txt is a folder"
repeat 5
  llm m -> "Once more."
  tool bash {"command":"sort -r days.txt"} -> "no days\\nsort: days.txt is a folder"`,
    fires: [
      {
        subtype: 'exact_repetition',
        text: '(no days | sort: days.txt is a folder) each time. Other arguments had the same result at step 1.',
      },
    ],
  },
  {
    name: 'exact_repetition: a command that prints the beginning of its own text, next to similar ones',
    trace: `agent clerk
repeat 4
  llm m -> "Once more."
  tool bash {"command":"echo \\"All is done.\\""} -> "All"
llm m -> "Goodbye."
tool bash {"command":"echo \\"Bye.\\""} -> "Bye."`,
    fires: [
      {
        subtype: 'exact_repetition',
        text: 'Other calls that only print a text of their own are at step 9.',
        suggestion: 'Give clerk a call or an answer that ends the run',
      },
    ],
  },
  {
    name: 'exact_repetition: of a message in JSON, the first text is quoted',
    trace: `agent clerk
repeat 5
  llm m -> "{\\"thought\\":\\"The list is not there yet.\\",\\"goal\\":\\"wait\\"}"
  tool open_list {"day":"monday"} -> "The page shows a heading, two buttons and a picture of the harbour."`,
    fires: [{ subtype: 'exact_repetition', text: 'Before the second call it wrote: "The list is not there yet.".' }],
  },
  {
    name: 'exact_repetition: the advice names declared tools that were not called',
    trace: `agent clerk
offers list_ferries {"type":"object"}
offers list_buses {"type":"object"}
offers open_map {"type":"object"}
tool open_map {"place":"harbour"} -> "The map shows the harbour, the two piers and the ferry house behind them."
repeat 6
  llm m -> "Once more."
  tool list_ferries {"day":"monday"} -> "The ferries leave at eight, at ten and at noon; the last one comes back at six."
llm m calls open_map {"place":"pier"}
tool open_map {"place":"pier"} -> "The map shows the pier with its lamps and the ticket booth near the stairs."`,
    fires: [
      {
        subtype: 'exact_repetition',
        suggestion: 'call another tool (not called yet: list_buses), or answer with that result',
      },
    ],
  },
  {
    name: 'cyclic: the advice names the edge that leads back and the repeated answer',
    trace:
      'framework langgraph\nrepeat 5\n  node drafter -> "The draft has no price in it, and I would like to see one there."\n  node reader -> "Please add the price of the loaf to the second line of the draft."',
    fires: [
      {
        subtype: 'cyclic',
        suggestion:
          'Put a condition on the edge from reader back to drafter: end the run, or leave for another node, when a round repeats what reader returned at step 1 ("Please add the price',
      },
    ],
  },
  {
    name: 'recursion_limit: the advice names the edge that leads back and the last round',
    trace:
      'framework langgraph\nspan graph !! GraphRecursionError: Recursion limit of 8 reached without hitting a stop condition.\n  repeat 4\n    node drafter -> "draft {n}"\n    node reader -> "not yet"',
    fires: [
      {
        subtype: 'recursion_limit',
        suggestion:
          'Put a condition on the edge from reader back to drafter that ends the run, for example when the last round (drafter: "draft 4", reader: "not yet")',
      },
    ],
  },
  {
    name: 'exact_repetition: info if the first result is the requested one and the run continued to an answer',
    trace: `${SET_SEATS}\nllm m -> "Both seats are set."`,
    fires: [{ subtype: 'exact_repetition', severity: 'info' }],
  },
  {
    name: 'exact_repetition: the same without an answer',
    trace: SET_SEATS,
    fires: [{ subtype: 'exact_repetition', severity: 'critical', suggestion: 'answer with the result of step 1' }],
  },
  {
    name: 'exact_repetition: a repeated success costs time only if the run continued to an answer',
    trace: `${SET_SEATS.replace(/-> .*/, '-> "The plan has two rows, and the seats near the window are free until noon today."')}\nllm m -> "Both seats are set."`,
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'stalled: the quoted arguments show where they differ',
    trace:
      'agent planner\nrepeat 5\n  llm m -> "Try {n}."\n  tool draw {"plan":"the hall with its two rows of chairs, the stage in front of them, the doors, the lamps on both sides and table {n}","scale":2} -> "The drawing was made, and the hall is still shown without its stage, its doors and its tables."',
    fires: [
      {
        subtype: 'stalled',
        text: 'both sides and table 1',
        suggestion: 'change scale (always 2) in the call of draw, or use another tool: only plan was varied',
      },
    ],
  },
  {
    name: 'stalled: arguments that were given twice are counted, and so are all calls of the tool',
    trace: `agent planner
repeat 4
  llm m -> "Start {n}."
  tool draw {"plan":"sketch {n}"} -> "Sketch {n} was drawn with a first row of chairs, one door and {n} lamps along the wall."
${[1, 2, 3, 3, 4].map((n) => `llm m -> "Try again, ${n}."\ntool draw {"plan":"table ${n}"} -> "The drawing was made, and the hall is still shown without its stage, its doors and its tables."`).join('\n')}`,
    fires: [{ subtype: 'stalled', text: 'with 4 different sets of arguments' }],
  },
  {
    name: 'iteration_escape: more rounds than items',
    trace: rounds(6, {}),
    fires: [{ subtype: 'iteration_escape', step: 5, severity: 'warning', text: 'ran Look up in round 5' }],
  },
  {
    name: 'iteration_escape: more rounds counted than allowed',
    trace: rounds(0, { kind: 'loop', run: 9 }),
    fires: [{ subtype: 'iteration_escape', step: 0, text: 'ran 9 rounds' }],
  },
  { name: 'silent: a round for each item', trace: rounds(4, { returned: 4 }), silent: true },
  {
    name: 'exit_not_met: all rounds used up without the condition',
    trace: rounds(4, FULL_LOOP, true),
    fires: [{ subtype: 'exit_not_met', step: 0, severity: 'warning', text: '4 rounds' }],
  },
  {
    name: 'silent: a loop that left early',
    trace: rounds(2, { ...FULL_LOOP, run: 2, hasLeftEarly: true }, true),
    silent: true,
  },
  { name: 'silent: a loop that counts on purpose', trace: rounds(4, FULL_LOOP, false), silent: true },
  {
    name: 'exit_not_met: a loop whose condition is not recorded',
    trace: rounds(4, FULL_LOOP),
    fires: [{ subtype: 'exit_not_met', severity: 'info', text: 'if it has one' }],
  },
  { name: 'silent: a loop of one round', trace: rounds(1, { ...FULL_LOOP, planned: 1, run: 1 }), silent: true },
  {
    name: 'exact_repetition: the same search three times in a row',
    trace: `
agent researcher
repeat 3
  llm gpt-4o 100/10 calls search {"q":"opening hours harbour museum"}
  tool search {"q":"opening hours harbour museum"} -> "nothing found"
llm gpt-4o 100/10 -> "I could not find them."`,
    fires: [
      {
        subtype: 'exact_repetition',
        step: 3,
        agent: 'researcher',
        severity: 'warning',
        wastedTokens: 220,
        text: 'search',
      },
    ],
  },
  {
    name: 'exact_repetition: code without a body of the requested function',
    trace: `
user "Complete tide(hour) and run it."
agent dev
repeat 4
  tool execute_code {"code":"def tide(hour):\\n    # later\\n\\nrun(tide)"} -> "exitcode: 1\\nIndentationError: expected an indented block"`,
    fires: [
      {
        subtype: 'exact_repetition',
        severity: 'critical',
        text: 'The body of `tide` has only a comment ("# later") since step 1.',
        suggestion: 'Have dev write the body of `tide`: in the code of step 1 it has only a comment ("# later").',
      },
    ],
  },
  {
    name: 'exact_repetition: the body is missing since an earlier version',
    trace: `
user "Complete tide(hour) and run it."
agent dev
tool execute_code {"code":"def tide(hour):\\n    \\"\\"\\"Level.\\"\\"\\"\\n    # later\\n\\nrun(tide)"} -> "exitcode: 0\\nSome tests failed"
repeat 4
  tool execute_code {"code":"def tide(hour):\\n    # later\\n\\nrun(tide)"} -> "exitcode: 1\\nIndentationError: expected an indented block"`,
    fires: [
      {
        subtype: 'exact_repetition',
        step: 1,
        text: 'The body of `tide` has only a comment ("# later") since step 1.',
      },
    ],
  },
  {
    name: 'cyclic: the name that the failed check calls is missing from the first call on',
    trace: `
user "Write a function for the water level."
agent dev
repeat 4
  tool python {"code":"def tide(hour):\\n    return 1"} -> "Failed: assert water_level(7) == 2"
  tool python {"code":"def tide(hour):\\n    return 2"} -> "Failed: assert water_level(7) == 2"`,
    fires: [
      {
        subtype: 'cyclic',
        step: 1,
        text: 'The failed check calls water_level, and the code of step 1 does not define it.',
        suggestion: 'Give dev the name water_level in its task.',
      },
    ],
  },
  {
    name: 'cyclic: the failed check compares with a truth value that the code does not return',
    trace: `
user "Find whether the level is high."
agent dev
repeat 4
  tool python {"code":"def level(hour):\\n    return hour - 1"} -> "Failed: assert is_high(7) == False"
  tool python {"code":"def level(hour):\\n    return abs(hour - 1)"} -> "Failed: assert is_high(7) == False"`,
    fires: [
      {
        subtype: 'cyclic',
        step: 1,
        text: 'does not define it. The check compares with False, and each return of the code is a calculation, not a truth value.',
        suggestion: 'Give dev the name is_high in its task, and that it has to return a truth value.',
      },
    ],
  },
  {
    name: 'exact_repetition: a failing command, with the line that says what failed and a change as advice',
    trace: `
agent dev
repeat 4
  llm gpt-4o 100/10 calls bash {"command":"node check.js"}
  tool bash {"command":"node check.js"} exit 1 -> "AssertionError: 4 is not 5\\n${'    at frame (node:internal/loader:1:1)\\n'.repeat(12)}Node.js v20"`,
    fires: [
      {
        subtype: 'exact_repetition',
        severity: 'critical',
        text: 'got the same error (AssertionError: 4 is not 5) each time',
        suggestion:
          'repair what step 1 shows ("AssertionError: 4 is not 5") before it runs the same command again. Nothing changed between these 4 calls: reject the next equal call and tell dev that step 1 already made it.',
        shows: ['AssertionError: 4 is not 5'],
      },
    ],
  },
  {
    name: 'exact_repetition: calls without recorded results are info and not called the same',
    trace: 'agent dev\nrepeat 5\n  llm gpt-4o 100/10 calls fetch {"q":"x"}\n  tool fetch {"q":"x"}',
    fires: [
      {
        subtype: 'exact_repetition',
        severity: 'info',
        text: 'No result of these calls is recorded',
        suggestion: 'Record the results of fetch',
      },
    ],
  },
  {
    name: 'exact_repetition: eight times is critical',
    trace:
      'agent a\nrepeat 9\n  tool search {"q":"x"} -> {"hits":[{"title":"Fares 2026"},{"title":"Piers"}],"total":2}',
    fires: [{ subtype: 'exact_repetition', step: 1, severity: 'critical' }],
  },
  {
    name: 'exact_repetition: calls that live only in messages',
    trace: 'agent a\nrepeat 4\n  llm gpt-4o 50/5 calls search {"q":"x"}',
    fires: [{ subtype: 'exact_repetition', step: 1, severity: 'info', wastedTokens: 165 }],
  },
  {
    name: 'exact_repetition: nearly the same arguments, which the thresholds of the tenant treat as equal',
    trace: `
agent a
repeat 4
  tool search_flights {"from":"BER","to":"LIS","seats":2,"page":{n}} -> "no flights"`,
    thresholds: { structuralThreshold: 0.7 },
    fires: [{ subtype: 'exact_repetition', step: 1, text: 'nearly the same arguments' }],
  },
  {
    name: 'cyclic: two alternating calls, with nearly the same arguments',
    trace: `
agent a
repeat 4
  tool search_flights {"from":"BER","to":"LIS","seats":2,"page":{n}} -> "no flights"
  tool search_hotels {"city":"LIS","stars":4,"rooms":1,"page":{n}} -> "no hotels"`,
    thresholds: { structuralThreshold: 0.75 },
    fires: [{ subtype: 'cyclic', step: 2 }],
  },
  ...(
    [
      ['at the default threshold', 0.95, 'no flights'],
      ['less similar than the threshold', 0.8, 'no flights'],
      ['with another answer each time', 0.5, 'flight {n}'],
    ] as const
  ).map(([name, structuralThreshold, answer]) => ({
    name: `silent: nearly the same arguments, ${name}`,
    trace: `
agent a
repeat 4
  tool search_flights {"from":"BER","to":"LIS","seats":2,"page":{n}} -> "${answer}"`,
    thresholds: { structuralThreshold },
    fires: [],
  })),
  {
    name: 'silent: nearly the same arguments without a recorded answer, at any threshold',
    trace: `
agent a
repeat 4
  tool search_flights {"from":"BER","to":"LIS","seats":2,"page":{n}}`,
    thresholds: { structuralThreshold: 0.5 },
    fires: [],
  },
  {
    name: 'exact_repetition: only times and request ids differ',
    trace: `
agent a
repeat 4
  tool fetch {"url":"/a","request_id":"r-{n}"} -> "busy at 2026-01-01T10:00:0{n}Z after 0.{n}s"`,
    fires: [{ subtype: 'exact_repetition', step: 1 }],
  },
  {
    name: 'two equal calls are only an observation',
    trace: 'agent a\nrepeat 2\n  tool search {"q":"x"} -> "nothing found"',
    fires: [{ subtype: 'exact_repetition', severity: 'observation' }],
  },
  {
    name: 'three calls are below a higher minimum',
    trace: 'agent a\nrepeat 3\n  tool search {"q":"x"} -> "nothing found"',
    thresholds: { minMatchesForLoop: 5 },
    silent: true,
  },
  {
    name: 'repeated_fault: other ids, the same mistake, although the tool works',
    trace: `
agent a
tool find_order {"name":"Ada"} -> "order 7"
tool find_order {"q":"Bob"} -> "TypeError: find_order() got an unexpected keyword argument 'q'"
tool get_user {"id":1} -> "Bob"
tool find_order {"term":"Bob"} -> "TypeError: find_order() got an unexpected keyword argument 'term'"
tool find_order {"text":"Bob"} -> "TypeError: find_order() got an unexpected keyword argument 'text'"`,
    fires: [{ subtype: 'repeated_fault', step: 3, agent: 'a', severity: 'warning', text: 'find_order' }],
  },
  {
    name: 'silent: two equal mistakes',
    trace: `
agent a
tool find_order {"q":"Bob"} -> "TypeError: find_order() got an unexpected keyword argument 'q'"
tool find_order {"term":"Bob"} -> "TypeError: find_order() got an unexpected keyword argument 'term'"
tool find_order {"name":"Bob"} -> "order 7"`,
    silent: true,
  },
  {
    name: 'silent: three mistakes of three kinds',
    trace: `
agent a
tool find_order {"q":"Bob"} -> "TypeError: find_order() got an unexpected keyword argument 'q'"
tool find_order {"name":"Rob"} -> "Error: no results found"
tool find_order {"name":"Bo"} -> "Error: 503 service unavailable"
tool find_order {"name":"Bob"} -> "order 7"`,
    silent: true,
  },
  {
    name: 'silent: a tool that never worked is reported by tool_failure',
    trace: `
agent a
tool find_order {"q":"Bob"} -> "TypeError: find_order() got an unexpected keyword argument 'q'"
tool find_order {"term":"Bob"} -> "TypeError: find_order() got an unexpected keyword argument 'term'"
tool find_order {"text":"Bob"} -> "TypeError: find_order() got an unexpected keyword argument 'text'"`,
    silent: true,
  },
  ...[
    ['as written', 'get_order', 'get_user'],
    ['in German', 'bestellung', 'kunde'],
    ['as verbs of changing', 'update_order', 'create_user'],
  ].flatMap(([name, order, user]): DetectorRow[] => [
    {
      name: `stalled: calls in between fail or return earlier results, ${name}`,
      trace: `
agent a
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}
tool ${user} {"id":1} !! no answer
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}
tool ${user} {"name":"Ada"} -> []
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}`,
      fires: [
        {
          subtype: 'stalled',
          step: 2,
          agent: 'a',
          severity: 'warning',
          text: 'Of the 2 calls in between, 1 failed and 1 returned nothing.',
        },
      ],
    },
    {
      name: `stalled: with new results in between it is an observation, ${name}`,
      trace: `
agent a
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}
tool ${user} {"id":1} -> {"id":1,"name":"Ada","since":2019,"city":"Bergen"}
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}
tool ${user} {"id":2} -> {"id":2,"name":"Bo","since":2021,"city":"Turku"}
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}`,
      fires: [
        {
          subtype: 'stalled',
          step: 2,
          severity: 'observation',
          text: 'Another call returned a new result before each repetition.',
        },
      ],
    },
    {
      name: `stalled: the failed calls in between are counted, ${name}`,
      trace: `
agent a
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}
tool ${user} {"id":1} -> {"id":1,"name":"Ada","since":2019,"city":"Bergen"}
tool ${user} {"id":2} !! no such person
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}
tool ${user} {"id":3} !! no such name
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}`,
      fires: [{ subtype: 'stalled', step: 3, text: `In between, 2 calls of ${user} failed (steps 2 to 4).` }],
    },
    {
      name: `silent: other calls in between were carried out, ${name}`,
      trace: `
agent a
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}
tool ${user} {"id":1} -> "ok"
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}
tool ${user} {"id":2} -> "ok"
tool ${order} {"id":7} -> {"id":7,"state":"pending","total":12.5}`,
      silent: true,
    },
    {
      name: `stalled: other arguments each time, and always the same result, ${name}`,
      trace: `
agent a
repeat 4
  llm m calls ${order} {"part":{n}}
  tool ${order} {"part":{n}} -> "Page 1 of the list of parts: brake pads 12 EUR, spokes 3 EUR, saddle 45 EUR, chain 22 EUR, bell 4 EUR."`,
      fires: [
        {
          subtype: 'stalled',
          severity: 'critical',
          text: 'bell 4…). The run ended there, without an answer.',
        },
      ],
    },
    {
      name: `stalled: the same with an answer, ${name}`,
      trace: `
agent a
repeat 4
  llm m calls ${order} {"part":{n}}
  tool ${order} {"part":{n}} -> "Page 1 of the list of parts: brake pads 12 EUR, spokes 3 EUR, saddle 45 EUR, chain 22 EUR, bell 4 EUR."
llm m -> "The bell costs 4 EUR."`,
      fires: [{ subtype: 'stalled', severity: 'warning' }],
    },
    {
      name: `stalled: a search that another result ended is an observation, ${name}`,
      trace: `
agent a
user "Version 64 crashes and version 1 does not. Find the first bad version."
${[32, 16, 8, 4].map((at) => `llm m calls ${order} {"version":${at}}\ntool ${order} {"version":${at}} -> {"result":"crash in render_frame at frame 200, exit status 139, core dumped to /tmp/core, on four of four runs"}`).join('\n')}
llm m calls ${order} {"version":2}
tool ${order} {"version":2} -> {"result":"ok"}
llm m -> "The first bad version is 3 or 4."`,
      fires: [{ subtype: 'stalled', severity: 'observation' }],
    },
    {
      name: `stalled: the call that returns another result is the last step, ${name}`,
      trace: `
agent a
repeat 4
  llm m calls ${order} {"part":{n}}
  tool ${order} {"part":{n}} -> "Page 1 of the list of parts: brake pads 12 EUR, spokes 3 EUR, saddle 45 EUR, chain 22 EUR, bell 4 EUR."
llm m calls ${order} {"part":9}
tool ${order} {"part":9} -> "Page 2."`,
      fires: [{ subtype: 'stalled', severity: 'warning' }],
    },
    {
      name: `silent: other arguments each time, and each is acknowledged, ${name}`,
      trace: `
agent a
repeat 6
  llm m calls ${order} {"part":{n}}
  tool ${order} {"part":{n}} -> "Stored."`,
      silent: true,
    },
  ]),
  {
    name: 'silent: one answer of the model requests four calls with the same result',
    trace: `
agent a
llm m -> "I look at four parts."
repeat 4
  tool get_part {"part":{n}} -> "Page 1 of the list of parts: brake pads 12 EUR, spokes 3 EUR, saddle 45 EUR, chain 22 EUR, bell 4 EUR."`,
    silent: true,
  },
  {
    name: 'silent: something was changed between the calls',
    trace: `
agent a
tool get_order {"id":7} -> "pending"
tool update_order {"id":7,"size":"M"} -> "ok"
tool get_order {"id":7} -> "pending"
tool update_order {"id":7,"size":"L"} -> "ok"
tool get_order {"id":7} -> "pending"`,
    silent: true,
  },
  {
    name: 'a third equal call at the end is info, not a warning',
    trace: `
agent a
repeat 3
  llm gpt-4o 100/10 calls list_files {}
  tool list_files {} -> "a.txt"
tool read_file {"path":"a.txt"} -> "hello"`,
    fires: [{ subtype: 'exact_repetition', severity: 'info' }],
  },
  {
    name: 'exact_repetition: a payment that is only acknowledged may be intended four times',
    trace: `
agent bank
repeat 4
  user "Pay the 4 euros back."
  llm gpt-4o 100/10 calls send_money {"amount":4}
  tool send_money {"amount":4} -> "sent"`,
    fires: [{ subtype: 'exact_repetition', step: 5, severity: 'info', text: 'send_money' }],
  },
  {
    name: 'silent: equal lookups of one model answer',
    trace: `
agent a
llm gpt-4o 100/10 calls list_files {}
repeat 4
  tool list_files {} -> "a.txt"`,
    silent: true,
  },
  {
    name: 'rephrasing: one search in three wordings',
    trace: `
agent a
tool web_search {"query":"oldest lighthouse keeper of the northern harbour"} -> "nothing"
tool web_search {"query":"lighthouse keeper northern harbour oldest record"} -> "no hits"
tool web_search {"query":"who was the oldest keeper of the northern harbour lighthouse"} -> "still nothing"`,
    fires: [{ subtype: 'rephrasing', step: 1, severity: 'info', text: 'web_search' }],
  },
  {
    name: 'silent: one search tool, different subjects',
    trace: `
agent a
tool web_search {"query":"ferry timetable on public holidays"} -> "a"
tool web_search {"query":"museum tickets for large groups"} -> "b"
tool web_search {"query":"bicycle rental near the station"} -> "c"`,
    silent: true,
  },
  {
    name: 'silent: looking up one id after the other',
    trace: 'agent a\nrepeat 6\n  tool get_order_details {"order_id":"#W{n}"} -> "order {n}"',
    silent: true,
  },
  {
    name: 'silent: a refusal, and the user insists',
    trace: `
agent a
repeat 5
  user "Try it again, attempt {n}."
  tool change_flight {"n":{n}} !! flight 7 is full`,
    silent: true,
  },
  {
    name: 'silent: the user asks again',
    trace: `
agent a
repeat 3
  user "And order 7, round {n}?"
  tool get_order {"id":7} -> "pending"`,
    silent: true,
  },
  {
    name: 'silent: polling until the status changes',
    trace: `
agent a
repeat 3
  tool get_status {"job":4} -> "running"
tool get_status {"job":4} -> "finished"`,
    silent: true,
  },
  {
    name: 'silent: polling with progress',
    trace: 'agent a\nrepeat 6\n  tool get_status {"job":4} -> "{n}0 % done"',
    silent: true,
  },
  { name: 'silent: paging', trace: 'agent a\nrepeat 6\n  tool page_down {} -> "page {n} of 9"', silent: true },
  {
    name: 'silent: a shell that edits and tests',
    trace: `
agent dev
repeat 4
  tool bash {"command":"sed -i s/a/b{n}/ app.py"} -> ""
  tool bash {"command":"pytest -q"} -> "1 failed"`,
    silent: true,
  },
  {
    name: 'cyclic: two tools return the same results in every round',
    trace: `
agent a
repeat 3
  tool get_plan {} -> "ask the critic"
  tool get_review {} -> "ask the planner"`,
    fires: [{ subtype: 'cyclic', step: 2, text: 'get_plan → get_review' }],
  },
  {
    name: 'silent: a cycle of tools whose results change',
    trace: `
agent a
repeat 5
  tool next_item {} -> "item {n}"
  tool show_item {} -> "shown {n}"`,
    silent: true,
  },
  {
    name: 'silent: waiting in two calls until the status changes',
    trace: `
agent a
repeat 3
  tool get_status {"job":4} -> "running"
  tool wait {"seconds":5} -> "waited"
tool get_status {"job":4} -> "finished"`,
    silent: true,
  },
  {
    name: 'silent: retries that succeeded',
    trace: `
agent a
repeat 5
  tool upload {"file":"a"} !! 429: slow down
tool upload {"file":"a"} -> "stored"`,
    silent: true,
  },
  {
    name: 'silent: a supervisor picks the same worker, who revises the text with the same words',
    trace: `
agent supervisor
repeat 5
  agent supervisor
  llm gpt-4o -> "next: editor"
  agent editor
  llm gpt-4o -> "The ferry leaves at noon from pier {n} and the bus leaves at nine from the square."`,
    silent: true,
  },
  {
    name: 'cyclic: a supervisor picks the same worker, who submits the same text',
    trace: `
repeat 5
  agent supervisor
  llm gpt-4o 100/5 -> "next: editor"
  agent editor
  llm gpt-4o 100/20 -> "The ferry leaves at noon and the bus at nine."`,
    fires: [
      {
        subtype: 'cyclic',
        step: 2,
        wastedTokens: 900,
        text: 'In every round editor gave the same output. Rounds 2 to 5',
      },
    ],
  },
  {
    name: 'silent: routing messages alone are not a round',
    trace: `
repeat 4
  agent supervisor
  llm gpt-4o -> "next: editor"
  agent editor
  llm gpt-4o -> "back to supervisor"`,
    silent: true,
  },
  {
    name: 'silent: the same words with another result of the tool',
    trace: `
framework langgraph
repeat 4
  node coder -> "I ran the tests and hand over to the critic."
    tool run_tests {} -> "{n} of 9 passed"
  node critic -> "Not all tests pass, please go on."`,
    silent: true,
  },
  {
    name: 'cyclic: nodes without output whose state stays the same',
    trace: `
framework langgraph
repeat 3
  node planner
  state {"plan":"a, b","approved":false}
  node executor
  state {"plan":"a, b","approved":false}
  node critic
  state {"plan":"a, b","approved":false}`,
    fires: [{ subtype: 'cyclic', step: 3, agent: 'planner', severity: 'warning', text: 'the state did not change' }],
  },
  {
    name: 'cyclic: only a counter of the state changes',
    trace: `
framework langgraph
repeat 5
  node planner
  state {"plan":"a, b","meta":{"round":{n}}}
  node critic
  state {"plan":"a, b","meta":{"round":{n}}}`,
    fires: [
      {
        subtype: 'cyclic',
        step: 2,
        text: 'planner → critic ran 5 times',
        shows: ['{"plan":"a, b"}'],
      },
    ],
  },
  {
    name: 'cyclic: the history in the state grows by the same messages',
    trace: `
framework langgraph
node planner
state {"messages":["plan it"]}
node critic
state {"messages":["plan it","redo"]}
node planner
state {"messages":["plan it","redo","plan it"]}
node critic
state {"messages":["plan it","redo","plan it","redo"]}
node planner
state {"messages":["plan it","redo","plan it","redo","plan it"]}
node critic
state {"messages":["plan it","redo","plan it","redo","plan it","redo"]}`,
    fires: [{ subtype: 'cyclic', text: 'the state changed in the same way' }],
    isPrefixInvariant: false,
  },
  {
    name: 'cyclic: one node after another of the same name, and the state stays the same',
    trace: `
framework langgraph
repeat 4
  node agent
  state {"answer":null,"tries":{n}}`,
    fires: [{ subtype: 'cyclic', step: 1, text: 'agent ran 4 times in a row' }],
  },
  {
    name: 'cyclic: a counter next to a longer list',
    trace: `
framework langgraph
repeat 5
  node planner -> "Draft the report in three parts."
  state {"rules":["a","b","c","d","e","f","g","h"],"round":{n}}
  node critic -> "Plan it again, please."
  state {"rules":["a","b","c","d","e","f","g","h"],"round":{n}}`,
    fires: [{ subtype: 'cyclic', step: 2, severity: 'warning' }],
  },
  {
    name: 'cyclic: a countdown and clocks in the state',
    trace: `
framework langgraph
node planner
state {"plan":"a, b","remaining_steps":25,"updated":1790000001,"stand":1790000001250}
node critic
state {"plan":"a, b","remaining_steps":24,"updated":1790000007,"stand":1790000007800}
node planner
state {"plan":"a, b","remaining_steps":23,"updated":1790000011,"stand":1790000011100}
node critic
state {"plan":"a, b","remaining_steps":22,"updated":1790000019,"stand":1790000019400}
node planner
state {"plan":"a, b","remaining_steps":21,"updated":1790000023,"stand":1790000023900}
node critic
state {"plan":"a, b","remaining_steps":20,"updated":1790000031,"stand":1790000031000}`,
    fires: [{ subtype: 'cyclic', step: 2, severity: 'warning', text: 'apart from counters' }],
  },
  {
    name: 'silent: the state counts down to the first item of a list',
    trace: `
framework langgraph
repeat 1
  node fetch
  state {"items":["a","b","c"],"left":3}
  node store
  state {"items":["a","b","c"],"left":3}
  node fetch
  state {"items":["a","b","c"],"left":2}
  node store
  state {"items":["a","b","c"],"left":2}
  node fetch
  state {"items":["a","b","c"],"left":1}
  node store
  state {"items":["a","b","c"],"left":1}`,
    silent: true,
  },
  {
    name: 'silent: a run that is not finished may still iterate over a list',
    trace: `
framework langgraph
running
repeat 3
  node fetch
  state {"items":["a","b","c","d","e","f"],"index":{n}}
  node store
  state {"items":["a","b","c","d","e","f"],"index":{n}}`,
    silent: true,
  },
  ...(
    [
      ['one node', '  node send\n  state {"sent":{n}}', 'node done -> "Six newsletters were sent."'],
      [
        'two nodes',
        '  node next\n  state {"sent":{n}}\n  node send\n  state {"sent":{n}}',
        'node done -> "Sechs Briefe sind verschickt."',
      ],
      [
        'nodes with texts',
        '  node pick -> "The next place is picked."\n  node probe -> "The place was probed well."',
        'node report -> "All six places are fine."',
      ],
    ] as const
  ).flatMap(([name, round, end]): DetectorRow[] => [
    {
      name: `cyclic: rounds that another actor follows in a run that ended well are info, ${name}`,
      trace: `framework langgraph\nrepeat 6\n${round}\n${end}`,
      fires: [{ subtype: 'cyclic', severity: 'info' }],
    },
    {
      name: `cyclic: rounds at the end of a run that ended well are not critical, ${name}`,
      trace: `framework langgraph\nrepeat 9\n${round}`,
      fires: [{ subtype: 'cyclic', severity: 'warning' }],
    },
    {
      name: `cyclic: rounds of a run that is not finished are critical, ${name}`,
      trace: `framework langgraph\nrunning\nrepeat 9\n${round}`,
      fires: [{ subtype: 'cyclic', severity: 'critical' }],
    },
  ]),
  ...(
    [
      [
        'texts',
        'node fetch -> "Order 0000000{n}-1111-4222-8333-444444444444 is fetched."',
        'node store -> "Order 0000000{n}-1111-4222-8333-444444444444 is stored."',
      ],
      [
        'states',
        'node fetch\n  state {"order":"0000000{n}-1111-4222-8333-444444444444"}',
        'node store\n  state {"order":"0000000{n}-1111-4222-8333-444444444444","stored":true}',
      ],
      [
        'items with an id',
        'node fetch\n  state {"order":{"id":"T{n}7","kind":"tea"}}',
        'node store\n  state {"order":{"id":"T{n}7","kind":"tea"},"stored":true}',
      ],
      [
        'results',
        'tool next_order {} -> {"order":"0000000{n}-1111-4222-8333-444444444444","kind":"tea","parts":3}',
        'tool store {} -> "stored"',
      ],
    ] as const
  ).map(
    ([name, fetch, store]): DetectorRow => ({
      name: `silent: five orders that differ in their UUIDs, in ${name}`,
      trace: `framework langgraph\nrepeat 5\n  ${fetch}\n  ${store}`,
      silent: true,
    }),
  ),
  {
    name: 'exact_repetition: results that differ in the id of the request',
    trace: `
agent a
repeat 4
  tool fetch {"page":"/a"} -> {"request_id":"0000000{n}-1111-4222-8333-444444444444","rows":[],"note":"still building","eta":12,"queue":3}`,
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'silent: the state iterates over a list',
    trace: `
framework langgraph
repeat 4
  node fetch
  state {"items":["a","b","c","d"],"index":{n}}
  node store
  state {"items":["a","b","c","d"],"index":{n}}`,
    silent: true,
  },
  {
    name: 'silent: the draft in the state changes in every round',
    trace: `
framework langgraph
repeat 4
  node writer
  state {"draft":"version {n}","round":{n}}
  node critic
  state {"draft":"version {n}","round":{n}}`,
    silent: true,
  },
  {
    name: 'silent: nodes wait until a job is done',
    trace: `
framework langgraph
repeat 3
  node check
  state {"status":"pending"}
  node wait
  state {"status":"pending"}
node check
state {"status":"done"}`,
    silent: true,
  },
  {
    name: 'silent: each message of the user starts a new round',
    trace: `
repeat 4
  user "Remind me of thing {n}."
  agent router
  llm gpt-4o -> "The clerk takes care of this."
  agent clerk
  llm gpt-4o -> "I have stored the reminder for you."`,
    silent: true,
  },
  {
    name: 'cyclic: nodes with the same output in every round',
    trace: `
framework langgraph
repeat 3
  node planner -> "Draft the report in three parts and hand it to the critic."
  node critic -> "The draft is too short, please plan it again."`,
    fires: [{ subtype: 'cyclic', step: 2, agent: 'planner', text: 'planner → critic' }],
  },
  {
    name: 'silent: nodes alternate and write new texts',
    trace: `
framework langgraph
node planner -> "Part one covers the harbour and its history."
node critic -> "Add two sources on the old lighthouse."
node planner -> "Part one now cites the museum and the town archive."
node critic -> "Good; the ferry section is missing."
node planner -> "Ferries leave at eight and at noon, as the timetable says."
node critic -> "Approved, publish it."`,
    silent: true,
  },
  {
    name: 'recursion_limit: the cycle of nodes is named and attributed to its first node',
    trace: `
framework langgraph
span team !! GraphRecursionError: Recursion limit of 6 reached without hitting a stop condition.
  repeat 3
    node planner -> "plan {n}"
      llm gpt-4o 100/10 -> "plan {n}"
    node critic -> "again {n}"`,
    fires: [
      {
        subtype: 'recursion_limit',
        step: 4,
        agent: 'planner',
        severity: 'critical',
        wastedTokens: 220,
        text: 'planner → critic',
      },
    ],
  },
  {
    name: 'recursion_limit: no nodes to name',
    trace: 'framework openai-agents\nspan helper !! MaxTurnsExceeded: Max turns (10) exceeded',
    fires: [{ subtype: 'recursion_limit', step: 0, text: 'helper' }],
  },
  {
    name: 'silent: an error that only talks about recursion',
    trace: 'span lesson !! ValueError: the exercise on recursion is missing',
    silent: true,
  },
  {
    name: 'retry_storm: the same arguments, the same error with other numbers',
    trace: `
agent a
repeat 4
  tool page_down {"by":2} !! TypeError: forward() failed after {n} tries`,
    fires: [
      { subtype: 'retry_storm', step: 1, severity: 'critical', text: '4 times in a row with the same arguments' },
    ],
  },
  {
    name: 'retry_storm: other calls in between, and no claim that there were none',
    trace: `
agent a
repeat 5
  tool page_down {"by":2} !! TypeError: forward() failed after {n} tries
  tool look {"at":{n}} -> "page {n}"`,
    fires: [{ subtype: 'retry_storm', step: 2, text: 'called page_down 5 times with the same arguments' }],
  },
  ...(
    [
      ['the fifth is found', '-> {"id":15,"name":"Ada","city":"Bergen","since":2019}', ''],
      ['none is found', '!! user 15 not found', ''],
      [
        'with a look at something else',
        '-> {"id":15,"name":"Ada","city":"Bergen","since":2019}',
        'tool note {"text":"12"} -> "noted"\n',
      ],
    ] as const
  ).map(
    ([name, result, between]): DetectorRow => ({
      name: `silent: four ids are tried, each is not found, ${name}`,
      trace: `
agent a
tool get_user {"id":11} !! user 11 not found
tool get_user {"id":12} !! user 12 not found
${between}tool get_user {"id":13} !! user 13 not found
tool get_user {"id":14} !! user 14 not found
tool get_user {"id":15} ${result}`,
      silent: true,
    }),
  ),
  ...(
    [
      ['click', '{"selector":"#next"}', '"clicked"', 4],
      ['click, as a record', '{"selector":"#next"}', '{"ok":true,"selector":"#next"}', 6],
      ['click, as a sentence', '{"selector":"#next"}', '"The button #next was clicked."', 5],
      ['klicken', '{"auswahl":"#weiter"}', '"geklickt"', 4],
      ['add_item', '{"sku":"roll"}', '"added"', 4],
      ['add_item, of a name', '{"item":"Margherita pizza"}', '"Added to the cart."', 4],
      ['scroll', '{"direction":"down"}', '"scrolled"', 3],
      ['move', '{"to":"forward"}', 'null', 4],
      ['roll_dice', '{}', '4', 3],
      ['roll_dice, as a record', '{"sides":6}', '{"value":4}', 3],
      ['order_state', '{"order":7}', '"preparing"', 4],
      ['order_state, as a record', '{"order":7}', '{"state":"preparing"}', 4],
      ['注文する', '{"品":"ロール"}', '"追加しました"', 4],
    ] as const
  ).map(
    ([name, args, result, times]): DetectorRow => ({
      name: `a call that is only acknowledged is info at most: ${name}`,
      trace: `
agent a
repeat ${times}
  llm m calls ${name.split(',')[0]} ${args}
  tool ${name.split(',')[0]} ${args}${result === 'null' ? '' : ` -> ${result}`}
llm m -> "Done."`,
      fires: [{ subtype: 'exact_repetition', severity: 'info', text: `${times} times` }],
    }),
  ),
  ...[
    ['an empty list next to the question', '{"flats":[],"query":"2 rooms park"}'],
    ['an empty list', '[]'],
    ['an empty record', '{"flats":{}}'],
  ].map(
    ([name, result]): DetectorRow => ({
      name: `exact_repetition: nothing found is an answer, ${name}`,
      trace: `agent a\nrepeat 4\n  llm m calls search_flats {"query":"2 rooms park"}\n  tool search_flats {"query":"2 rooms park"} -> ${result}\nllm m -> "There is no flat near the park."`,
      fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
    }),
  ),
  {
    name: 'stalled: all edits were rejected, which is named before the repeated read',
    trace: `agent dev
repeat 4
  llm m calls goto {"line":12}
  tool goto {"line":12} -> "12: def fare(trip): 13:   return trip.price 14: def total(trips): 15:   return sum(trips)"
  llm m calls edit {"path":"ferry/fare.py","new":"retur {n} * trip.price"}
  tool edit {"path":"ferry/fare.py","new":"retur {n} * trip.price"} -> "SyntaxError: invalid syntax"
llm m -> "I could not change it."`,
    fires: [
      {
        subtype: 'stalled',
        severity: 'critical',
        text: 'All 4 calls of edit (steps 3 to 15) were rejected ("SyntaxError: invalid syntax" at the last one): nothing was applied. dev called goto 4 times',
        suggestion:
          'Reject the end of the run while no edit was applied. The repeated goto returned the same as at step 1.',
      },
    ],
  },
  {
    name: 'exact_repetition: texts of the agent that are run as commands replace the result of an earlier call',
    trace: `agent clerk
llm m -> "ls /srv/jars"
tool bash {"command":"ls /srv/jars"} -> "plum\\nquince\\napple"
llm m -> "You are welcome, see you soon!"
tool bash {"command":"You are welcome, see you soon!"} -> "sh: line 1: You: command not found"
llm m -> "echo \\"It's done.\\""
tool bash {"command":"echo \\"It's done.\\""} -> "Malformed command"
repeat 4
  llm m -> "echo \\"Ask me again if more jars are needed.\\""
  tool bash {"command":"echo \\"Ask me again if more jars are needed.\\""} -> "Ask"`,
    fires: [
      {
        subtype: 'exact_repetition',
        text: 'bash returned a result at step 1. 5 calls from step 3 to step 13 are texts of the agent that were run as commands, and the output of the last one replaced that result. 1 other call that prints a text returned something else (step 5).',
        suggestion: 'End the run with the result of step 1.',
      },
    ],
  },
  {
    name: 'exact_repetition: the result that such texts replace came twice',
    trace: `agent clerk
llm m -> "ls /srv/jars"
tool bash {"command":"ls /srv/jars"} -> "plum\\nquince\\napple"
llm m -> "You are welcome, see you soon!"
tool bash {"command":"You are welcome, see you soon!"} -> "sh: line 1: You: command not found"
repeat 4
  llm m -> "echo \\"Ask me again if more jars are needed.\\""
  tool bash {"command":"echo \\"Ask me again if more jars are needed.\\""} -> "Ask"
llm m -> "ls /srv/jars"
tool bash {"command":"ls /srv/jars"} -> "plum\\nquince\\napple"
llm m -> "echo \\"Bye for now.\\""
tool bash {"command":"echo \\"Bye for now.\\""} -> "Bye"`,
    fires: [
      {
        subtype: 'exact_repetition',
        severity: 'critical',
        step: 3,
        text: 'bash returned a result at step 1, and the same again at step 13.',
        suggestion: 'End the run with the result of step 1.',
      },
    ],
  },
  {
    name: 'exact_repetition: nothing found, and no answer says so',
    trace: `agent a\nrepeat 4\n  llm m calls search_flats {"query":"2 rooms park"}\n  tool search_flats {"query":"2 rooms park"} -> []`,
    fires: [{ subtype: 'exact_repetition', severity: 'critical', text: 'The run ended there, without an answer.' }],
  },
  {
    name: 'exact_repetition: each message of the agent is the call, so the last call is its answer',
    trace: `agent a\nrepeat 4\n  llm m -> "print the third page"\n  tool press "print the third page" -> "The press holds no paper of this size in any of its trays."`,
    fires: [
      {
        subtype: 'exact_repetition',
        severity: 'warning',
        text: 'Each call of the run submits an answer, and the run ended on the result of the last one.',
      },
    ],
  },
  {
    name: 'a flag next to an empty list is an acknowledgement',
    trace: `agent a\nrepeat 4\n  llm m calls click {"selector":"#next"}\n  tool click {"selector":"#next"} -> {"ok":true,"errors":[]}`,
    fires: [{ subtype: 'exact_repetition', severity: 'info' }],
  },
  {
    name: 'silent: three calls that are only acknowledged, of two alternating tools',
    trace: `
agent a
repeat 3
  llm m calls click {"selector":"#next"}
  tool click {"selector":"#next"} -> "clicked"
  llm m calls capture {}
  tool capture {} -> "captured"
llm m -> "Three pages are captured."`,
    fires: [{ subtype: 'cyclic', severity: 'info' }],
  },
  ...(
    [
      ['transfer_to_writer', 'transfer_to_supervisor'],
      ['uebergabe_an_writer', 'zurueck_zu_supervisor'],
    ] as const
  ).flatMap(([give, back]): DetectorRow[] => [
    {
      name: `silent: a supervisor hands chapters to a writer without tools, ${give}`,
      trace: `
repeat 4
  agent supervisor
  llm m calls ${give} {}
  tool ${give} {} -> "Successfully transferred to writer"
  agent writer
  llm m -> "Chapter {n}: the harbour was built in 180{n}, and its pier is {n}00 metres long."
  tool ${back} {} -> "Successfully transferred back to supervisor"`,
      silent: true,
    },
    {
      name: `silent: a writer that reads the same guide for each chapter, ${give}`,
      trace: `
repeat 4
  agent supervisor
  llm m calls ${give} {}
  tool ${give} {} -> "Successfully transferred to writer"
  agent writer
  llm m calls get_guide {}
  tool get_guide {} -> "Write short sentences of at most 20 words, in the present tense, and name each source in brackets."
  llm m -> "Chapter {n}: the harbour was built in 180{n}, and its pier is {n}00 metres long."
  tool ${back} {} -> "Successfully transferred back to supervisor"`,
      silent: true,
    },
    {
      name: `a call that repeats between handoffs without new information, ${give}`,
      trace: `
repeat 4
  agent supervisor
  llm m calls ${give} {}
  tool ${give} {} -> "Successfully transferred to writer"
  agent writer
  llm m calls get_guide {}
  tool get_guide {} -> "Write short sentences of at most 20 words, in the present tense, and name each source in brackets."
  tool ${back} {} -> "Successfully transferred back to supervisor"`,
      fires: [{ subtype: 'exact_repetition', severity: 'warning', text: 'get_guide 4 times in a row' }],
    },
  ]),
  {
    name: 'silent: one agent that reads the same template for each letter',
    trace: `
agent clerk
repeat 4
  llm m calls get_template {}
  tool get_template {} -> "Dear customer, your parcel of 12 pieces is on its way. Kind regards, the team of the harbour shop."
  llm m -> "Letter {n}: dear Ada {n}, your parcel of {n} pieces is on its way."`,
    silent: true,
  },
  {
    name: 'exact_repetition: the thoughts of the model between the calls are not answers',
    trace: `
agent clerk
repeat 4
  llm m -> "I look at the template once more, attempt {n}."
  tool get_template {} -> "Dear customer, your parcel of 12 pieces is on its way. Kind regards, the team of the harbour shop."`,
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'silent: twenty questions between two agents',
    trace: `
repeat 6
  agent guesser
  llm m -> "Question {n}: is it bigger than {n} metres?" calls transfer_to_keeper {}
  tool transfer_to_keeper {} -> "Transferred."
  agent keeper
  llm m -> "No." calls transfer_to_guesser {}
  tool transfer_to_guesser {} -> "Transferred."`,
    silent: true,
  },
  {
    name: 'silent: the state changes between equal calls',
    trace: `
framework langgraph
repeat 4
  node writer
    tool get_guide {} -> "Write short sentences of at most 20 words, in the present tense, and name each source in brackets."
  state {"chapter":"The pier of 180{n} is {n}00 metres long."}`,
    silent: true,
  },
  {
    name: 'exact_repetition: only the history in the state grows between equal calls',
    trace: `
framework langgraph
node agent
  tool get_guide {} -> "Write short sentences of at most 20 words, and name each source in brackets."
state {"answer":null,"messages":[{"role":"assistant","content":"I look."}]}
node agent
  tool get_guide {} -> "Write short sentences of at most 20 words, and name each source in brackets."
state {"answer":null,"messages":[{"role":"assistant","content":"I look."},{"role":"assistant","content":"Once more."}]}
node agent
  tool get_guide {} -> "Write short sentences of at most 20 words, and name each source in brackets."
state {"answer":null,"messages":[{"role":"assistant","content":"I look."},{"role":"assistant","content":"Once more."},{"role":"assistant","content":"And again."}]}`,
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'silent: errors that differ',
    trace: `
agent a
tool book {"day":1} !! no seats left
tool book {"day":2} !! card declined
tool book {"day":3} !! name missing
tool book {"day":4} -> "booked"`,
    silent: true,
  },
  {
    name: 'message_repetition: the same long message three times',
    trace: new TraceBuilder()
      .agent('orchestrator')
      .repeat(3, (run, round) => run.llm(LONG).user(`reply number ${round}`))
      .build(),
    fires: [{ subtype: 'message_repetition', step: 2, agent: 'orchestrator' }],
  },
  {
    name: 'message_repetition: a template sent three times is only info',
    trace: nudged(3),
    fires: [{ subtype: 'message_repetition', agent: 'proxy', severity: 'info' }],
  },
  {
    name: 'message_repetition: a template that is sent very often is only info',
    trace: nudged(8),
    fires: [{ subtype: 'message_repetition', agent: 'proxy', severity: 'info' }],
  },
  {
    name: 'message_repetition: a record that a model fills in again for equal inputs',
    trace: `
agent extractor
repeat 9
  user "Extraction {n}"
  llm m -> ${JSON.stringify(JSON.stringify({ calls: [], places: [{ file: 'src/cart/discount.ts', method: 'applyDiscountToCart' }, { file: 'b' }] }))}`,
    fires: [{ subtype: 'message_repetition', agent: 'extractor', severity: 'info' }],
  },
  {
    name: 'message_repetition: a higher score if the run ends with it than if the run continues',
    trace: new TraceBuilder()
      .agent('orchestrator')
      .repeat(4, (run, round) => run.llm(LONG).user(`reply number ${round}`))
      .repeat(12, (run, round) => run.llm(`Seat ${round} is booked and paid.`))
      .build(),
    fires: [{ subtype: 'message_repetition', severity: 'warning', minConfidence: 0.44 }],
  },
  {
    name: 'silent: calls of which neither arguments nor results were recorded',
    trace: new TraceBuilder()
      .agent('a')
      .repeat(8, (run) => run.llm('').tool('search', '', ''))
      .build(),
    silent: true,
  },
  {
    name: 'silent: a placeholder for tools that the sender did not name',
    trace: new TraceBuilder()
      .agent('a')
      .repeat(8, (run, round) => run.llm(`step ${round}`).tool('tool', '', 'invalid'))
      .build(),
    silent: true,
  },
  {
    name: 'exact_repetition: a named tool without recorded arguments answers the same',
    trace: new TraceBuilder()
      .agent('a')
      .repeat(5, (run, round) => run.llm(`step ${round}`).tool('run_terminal', '', 'There is nothing to run.'))
      .build(),
    fires: [{ subtype: 'exact_repetition', severity: 'info', text: 'in a row and got the same result' }],
  },
  {
    name: 'silent: an agent’s notes to itself',
    trace: `
agent a
tool think {"thought":"the fare for the group must add up to the total price"} -> ""
tool think {"thought":"the total price for the group fare must add up"} -> ""
tool think {"thought":"the group fare must really add up to the total price"} -> ""`,
    silent: true,
  },
  {
    name: 'silent: short messages recur',
    trace: 'agent a\nrepeat 5\n  user "step {n}"\n  llm gpt-4o 10/1 -> "Done."',
    silent: true,
  },
  { name: 'not applicable without steps', trace: '', notApplicable: true },
  {
    name: 'rephrasing: files of one project are different requests',
    trace: `agent dev
in "/home/ana/work/shop"
repeat 9
  llm m calls Read {"file_path":"/home/ana/work/shop/src/cart/part{n}.ts"}
  tool Read {"file_path":"/home/ana/work/shop/src/cart/part{n}.ts"} -> "part {n}"`,
    silent: true,
  },
  {
    name: 'rephrasing: folder and modes of a search do not count',
    trace: `agent dev
llm m -> "a"
tool Grep {"pattern":"applyDiscount","path":"/home/ana/work/shop/src/cart","output_mode":"content","glob":"*.ts"} -> "1"
llm m -> "b"
tool Grep {"pattern":"roundPrice","path":"/home/ana/work/shop/src/cart","output_mode":"content","glob":"*.ts"} -> "2"
llm m -> "c"
tool Grep {"pattern":"TaxRate","path":"/home/ana/work/shop/src/cart","output_mode":"content","glob":"*.ts"} -> "3"
llm m -> "d"
tool Grep {"pattern":"parse coupon code","path":"/home/ana/work/shop/src/cart","output_mode":"content"} -> "4"
llm m -> "e"
tool Grep {"pattern":"parse coupon value","path":"/home/ana/work/shop/src/cart","output_mode":"content"} -> "5"`,
    silent: true,
  },
  {
    name: 'rephrasing: the same question about different pages',
    trace: `agent dev
repeat 5
  llm m -> "page {n}"
  tool web_fetch {"url":"https://docs.example.org/page{n}","prompt":"List all options of the command and their defaults"} -> "options of {n}"`,
    silent: true,
  },
  {
    name: 'rephrasing: searches of one message run in parallel',
    trace: `agent dev
llm m -> "I search in parallel."
tool web_search {"query":"vitest coverage thresholds per file"} -> "a"
tool web_search {"query":"vitest coverage thresholds per folder"} -> "b"
tool web_search {"query":"vitest coverage thresholds for each file"} -> "c"
tool web_search {"query":"vitest per file coverage thresholds"} -> "d"`,
    silent: true,
  },
  ...[
    ['{"element":"Next"}', ''],
    ['{"selector":"a.next-page"}', ''],
    ['{"key":"ArrowDown"}', ''],
    ['{"label":"Weiter"}', ''],
    ['{"element":"e17"}', 'I see the items {n}1 to {n}9.'],
  ].map(
    ([args, text]): DetectorRow => ({
      name: `exact_repetition: paging to the item is info at most: ${args}`,
      trace: `agent browser\nuser "What does item 30 cost?"\nrepeat 9\n  llm m -> "${text} On to the next ones."\n  tool click ${args} -> "Clicked."\nllm m -> "Item 30 costs 4 euros."`,
      fires: [{ subtype: 'exact_repetition', severity: 'info', text: '9 times' }],
    }),
  ),
  {
    name: 'exact_repetition: a button that does not move on, nine times',
    trace:
      'agent browser\nuser "Pay the bill."\nrepeat 9\n  llm m -> "I pay."\n  tool click {"element":"Pay"} -> "Clicked."\nllm m -> "The bill is paid."',
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'silent: exact_repetition: a monitor that is asked again each minute with another time',
    trace: monitored((round) => `It is 10:0${round}. How long is the queue?`),
    silent: true,
  },
  {
    name: 'exact_repetition: an agent that another one asks again and again',
    trace: monitored(() => 'How long is the queue?'),
    fires: [{ subtype: 'exact_repetition' }],
  },
  {
    name: 'silent: one answer of the model requests four pages',
    trace: `
agent browser
llm m -> "I open the list."
tool open_page {"url":"https://shop.example/list"} -> "opened"
llm m -> "I go to the fifth page."
repeat 4
  tool click {"button":"Next"} -> "clicked"
llm m -> "I read the page."
tool read_page {} -> "page 5"`,
    silent: true,
  },
  {
    name: 'rephrasing: the subject changes from search to search',
    trace: `agent a
llm m -> "a"
tool web_search {"query":"harbour museum opening hours"} -> "a"
llm m -> "b"
tool web_search {"query":"harbour museum ticket prices hours"} -> "b"
llm m -> "c"
tool web_search {"query":"museum ticket prices for large groups"} -> "c"
llm m -> "d"
tool web_search {"query":"ticket prices for large groups ferry"} -> "d"
llm m -> "e"
tool web_search {"query":"large groups ferry booking islands"} -> "e"`,
    silent: true,
  },
  {
    name: 'rephrasing: tools are loaded by name',
    trace: `agent a
repeat 6
  llm m -> "I need tool {n}."
  tool LoadTools {"query":"select:shop__find_user_by_mail,shop__change_order_{n}","max_results":{n}} -> "loaded {n}"`,
    silent: true,
  },
  {
    name: 'rephrasing: one question about different things',
    trace: `agent a
llm m -> "a"
tool web_search {"query":"how many people live in the city of Lund"} -> "90"
llm m -> "b"
tool web_search {"query":"how many people live in the city of Turku"} -> "200"
llm m -> "c"
tool web_search {"query":"how many people live in the city of Bergen"} -> "290"
llm m -> "d"
tool web_search {"query":"how many people live in the city of Aarhus"} -> "285"`,
    silent: true,
  },
  {
    name: 'rephrasing: one search in different folders, wider each time',
    trace: `agent a
llm m -> "a"
tool find_files {"path":"/srv/app/src","pattern":"parse the coupon code"} -> "a"
llm m -> "b"
tool find_files {"path":"/srv/app","pattern":"parse the coupon"} -> "b"
llm m -> "c"
tool find_files {"path":"/srv","pattern":"parse coupon code"} -> "c"
llm m -> "d"
tool find_files {"path":"/","pattern":"coupon code to parse"} -> "d"`,
    silent: true,
  },
  {
    name: 'rephrasing: calls that fail have no results to use',
    trace: `agent a
repeat 2
  llm m -> "a"
  tool browse {"query":"oldest keeper of the northern lighthouse"} !! HTTPError: proxy refused the connection
  llm m -> "b"
  tool browse {"query":"northern lighthouse, who was the oldest keeper"} !! HTTPError: connection refused by the proxy`,
    fires: [],
  },
  {
    name: 'rephrasing: in a script without spaces',
    trace: `agent a
llm m -> "a"
tool web_search {"query":"北港灯塔最年长的守护人是谁"} -> "无"
llm m -> "b"
tool web_search {"query":"谁是北港灯塔最年长的守护人"} -> "无"
llm m -> "c"
tool web_search {"query":"北港灯塔守护人最年长的是谁呢"} -> "无"`,
    fires: [
      {
        subtype: 'rephrasing',
        text: 'steps 3 and 5 returned no new result',
        suggestion:
          'Make a change the source, or say that web_search does not find it, instead of asking web_search again',
      },
    ],
  },
  {
    name: 'rephrasing: one search after the other in other words',
    trace: `agent dev
llm m -> "a"
tool web_search {"query":"vitest coverage thresholds per file"} -> "a"
llm m -> "b"
tool web_search {"query":"vitest coverage thresholds for each file"} -> "b"
llm m -> "c"
tool web_search {"query":"vitest per file coverage thresholds option"} -> "c"
llm m -> "d"
tool web_search {"query":"vitest option for coverage thresholds per file"} -> "d"`,
    fires: [{ subtype: 'rephrasing', severity: 'warning', suggestion: 'Make dev use the results of web_search' }],
  },
  {
    name: 'retry_storm: calls that were cancelled with a parallel one',
    trace: `agent dev
llm m -> "I edit all files."
tool Edit {"file_path":"a.ts"} of m1 flag error -> "String to replace not found"
repeat 9
  tool Edit {"file_path":"b{n}.ts"} of m1 refused harness -> "Sibling tool call errored"
llm m -> "I read the first file again."
tool Edit {"file_path":"a.ts"} of m2 flag ok -> "ok"
llm m -> "Done."`,
    fires: [],
  },
  {
    name: 'retry_storm: parallel failures of one message are one attempt',
    trace: `agent dev
llm m -> "I edit all files."
repeat 8
  tool Edit {"file_path":"b{n}.ts"} of m1 flag error -> "File has not been read yet"
llm m -> "I read them first."
tool Edit {"file_path":"b1.ts"} of m2 flag ok -> "ok"
llm m -> "Done. The first attempt failed because the files had not been read."`,
    fires: [{ subtype: 'rejected_edits', severity: 'info' }],
  },
  {
    name: 'stalled: checking whether a running command has finished',
    trace: `agent dev
llm m -> "I start the build."
tool exec_command {"cmd":"make all"} -> "Process running with session ID 7"
repeat 9
  llm m -> "It still runs."
  tool write_stdin {"session_id":7,"chars":"","yield_time_ms":1000} -> "Chunk ID: ab{n}c9{n}\\nWall time: 1.{n} seconds\\nProcess running with session ID 7"`,
    silent: true,
  },
  {
    name: 'stalled: results that differ only in the ids of the shell',
    trace: `agent dev
repeat 6
  llm m -> "Again."
  tool exec_command {"cmd":"make lint"} -> "Chunk ID: ab{n}c9{n}\\nWall time: 1.{n} seconds\\nProcess exited with code 2"`,
    fires: [{ subtype: 'exact_repetition' }],
  },
  {
    name: 'repeated_fault: three files that do not exist',
    trace: `agent dev
tool Read {"file_path":"/srv/shop/package.json"} -> "{}"
repeat 4
  llm m -> "I look elsewhere."
  tool Read {"file_path":"/srv/shop/docs/guide{n}.md"} flag error -> "File does not exist."
llm m -> "There is no guide: the files were not found."`,
    silent: true,
  },
  {
    name: 'failing_test: the same test fails in four runs with edits in between',
    trace: `agent dev
repeat 4
  llm m cost 0.1 -> "I change the sum."
  tool Edit {"file_path":"/srv/shop/cart.go","round":{n}} flag ok -> "ok {n}"
  llm m cost 0.1 -> "I run the tests."
  tool Bash {"command":"go test ./..."} exit 1 -> "--- FAIL: TestSum (0.0{n}s)\\ncart.go:{n}: got {n}"
llm m -> "It still fails."`,
    fires: [{ subtype: 'failing_test', severity: 'info', text: 'TestSum failed in 4 runs' }],
  },
  {
    name: 'failing_test: after six failed runs it is a warning',
    trace: `agent dev
repeat 6
  llm m cost 0.1 -> "I change the sum."
  tool Edit {"file_path":"/srv/shop/cart.go","round":{n}} flag ok -> "ok {n}"
  llm m cost 0.1 -> "I run the tests."
  tool Bash {"command":"go test ./..."} exit 1 -> "--- FAIL: TestSum (0.0{n}s)\\ncart.go:{n}: got {n}"
llm m -> "It still fails."`,
    fires: [{ subtype: 'failing_test', severity: 'warning', text: 'TestSum failed in 6 runs' }],
  },
  {
    name: 'failing_test: three runs are ordinary work',
    trace: `agent dev
repeat 3
  llm m -> "I change the sum."
  tool Edit {"file_path":"/srv/shop/cart.go","round":{n}} flag ok -> "ok {n}"
  llm m -> "I run the tests."
  tool Bash {"command":"go test ./..."} exit 1 -> "--- FAIL: TestSum (0.0{n}s)\\ncart.go:{n}: got {n}"
llm m -> "It still fails."`,
    silent: true,
  },
  {
    name: 'rejected_edits: three patches that do not apply',
    trace: `agent dev
tool Read {"file_path":"/srv/shop/a.py"} -> "x"
repeat 3
  llm m -> "I patch it."
  tool apply_patch {"patch":"*** Update File: part{n}.py"} exit 1 -> "apply_patch verification failed: Failed to find expected lines in part{n}.py"
  llm m -> "I read it."
  tool Bash {"command":"cat part{n}.py"} exit 0 -> "text {n}"
  llm m -> "I write it."
  tool apply_patch {"patch":"*** Add File: new{n}.py"} exit 0 -> "ok {n}"
llm m -> "Done; three patches failed at first."`,
    fires: [{ subtype: 'rejected_edits', severity: 'info', text: '3 edits with apply_patch' }],
  },
  {
    name: 'rejected_edits: patches that the tool cannot parse',
    trace: `agent dev
tool Read {"file_path":"/srv/shop/a.py"} -> "x"
repeat 3
  llm m -> "I patch it."
  tool apply_patch {"patch":"*** Update File: part{n}.py"} exit 1 -> "apply_patch verification failed: invalid hunk at line {n}, Update hunk does not contain any lines"
  llm m -> "I read it."
  tool Bash {"command":"cat part{n}.py"} exit 0 -> "text {n}"
  llm m -> "I write it."
  tool apply_patch {"patch":"*** Add File: new{n}.py"} exit 0 -> "ok {n}"
llm m -> "Done; three patches failed at first."`,
    fires: [{ subtype: 'rejected_edits', severity: 'info', text: '3 of them could not be parsed as a patch' }],
  },
  {
    name: 'rejected_edits: one patch sent repeatedly is only a retry storm',
    trace: `agent dev
repeat 12
  llm m -> "I patch it."
  tool apply_patch {"input":"plan"} flag error -> "The first line of the patch is no header"
llm m -> "It does not work: the patch is refused."`,
    fires: [{ subtype: 'retry_storm' }],
  },
  {
    name: 'unchanged_reread: the same lines four times',
    trace: `agent dev
repeat 4
  llm m -> "I look."
  tool Read {"file_path":"/srv/shop/cart.ts","offset":1,"limit":50} -> "const total = 1"
  llm m -> "I change another file."
  tool Edit {"file_path":"/srv/shop/part{n}.ts"} -> "ok {n}"
llm m -> "Done."`,
    fires: [{ subtype: 'unchanged_reread', severity: 'info', text: '3 times' }],
  },
  {
    name: 'polling: twenty polls before the command ended',
    trace: `agent dev
llm m -> "I start the build."
tool exec_command {"cmd":"make all"} -> "Process running with session ID 7"
repeat 21
  llm m cost 0.05 -> "It still runs."
  tool write_stdin {"session_id":7,"chars":"","yield_time_ms":1000} -> "Process running with session ID 7"
llm m -> "Done."`,
    fires: [{ subtype: 'polling', severity: 'info', text: '20 times with write_stdin' }],
  },
  {
    name: 'polling: two waiting tools for the same command',
    trace: `agent dev
tool exec_command {"cmd":"make all"} -> "Process running with session ID 7"
repeat 12
  tool write_stdin {"session_id":7,"chars":""} -> "Process running with session ID 7"
  tool wait {"cell_id":"7"} -> "running"
llm m -> "Done."`,
    fires: [{ subtype: 'polling', severity: 'info', text: '23 times with write_stdin, wait' }],
  },
  {
    name: 'silent: one poll for each of many commands',
    trace: `agent dev
repeat 25
  tool exec_command {"cmd":"make part{n}"} -> "Process running with session ID {n}"
  tool write_stdin {"session_id":{n},"chars":""} -> "part {n} was built"
llm m -> "Done."`,
    silent: true,
  },
  {
    name: 'silent: polls that wait for thirty seconds each',
    trace: `agent dev
tool exec_command {"cmd":"make all"} -> "Process running with session ID 7"
repeat 30
  tool write_stdin {"session_id":7,"chars":"","yield_time_ms":30000} -> "Process running with session ID 7"
llm m -> "Done."`,
    silent: true,
  },
  {
    name: 'stalled: subagents of one name that each read the same file',
    trace: `session {"endedBy":"completed"}
agent dev
repeat 5
  llm m -> "I start an explorer for part {n}."
  tool Task {"prompt":"part {n}"} -> "found {n}"`,
    silent: true,
  },
];

testDetector(loop, rows, { readme: new URL('./README.md', import.meta.url) });
