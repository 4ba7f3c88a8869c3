import { describe, expect, it } from 'vitest';
import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { ErrorFallback, StepError, Trace } from '../../core/trace.ts';
import { runDetectors } from '../_runner/run.ts';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, NO_MODELS, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { toolFailure } from './detector.ts';

const SUCCESS_CLAIM = 'llm gpt-4o 10/5 -> "Your flight is booked for Friday."';

/** A tool whose result fails in this way, followed by an answer that ignores it. */
function ignored(result: string): string {
  return `agent clerk\ntool book {"day":"friday"} -> ${result}\n${SUCCESS_CLAIM}`;
}

/** A node that fails, what its settings put in its place, and the node after it. */
function takenOver(
  errorFallback: ErrorFallback | null,
  error = { type: '503', message: 'Service Unavailable' },
): Trace {
  const draft = emptyDraft();
  const parent = addStep(draft, { kind: 'chain', name: 'order flow' });
  const facts = errorFallback === null ? {} : { errorFallback };
  addStep(draft, { kind: 'other', name: 'Check stock', node: 'Check stock', parent, error, facts });
  addStep(draft, { kind: 'other', name: 'Write order', node: 'Write order', parent, output: 'ordered 12' });
  return finishTrace(draft);
}

function namedModelCall(): Trace {
  const draft = emptyDraft();
  const parent = addStep(draft, { kind: 'agent', name: 'planner', agent: 'planner' });
  addStep(draft, { kind: 'other', name: 'chat gpt-4o', parent, error: { type: 'TypeError', message: 'boom' } });
  return finishTrace(draft);
}

/** Spans of a program with a failed one inside, no call of a model or tool among them. */
function program(status: 'ok' | 'error', task: string | null = null): Trace {
  const draft = { ...emptyDraft(), task };
  const root = { type: 'HookError', message: 'the settings were not read' };
  const parent = addStep(draft, { kind: 'other', name: 'Config.load', error: status === 'ok' ? null : root });
  addStep(draft, { kind: 'other', name: 'Config.probe', parent, error: root });
  addStep(draft, { kind: 'other', name: 'Config.merge', parent });
  return finishTrace(draft);
}

/** A program whose hook fails, with spans of later work in the same failed trace. */
function failedHook(): Trace {
  const draft = emptyDraft();
  const error = { type: 'hook_error', message: 'hook runner returned no output' };
  const times = (startMs: number) => ({ startMs, endMs: startMs + 5 });
  addStep(draft, { kind: 'other', name: 'interaction', error, ...times(0) });
  addStep(draft, { kind: 'other', name: 'hook', error, ...times(10) });
  addStep(draft, { kind: 'other', name: 'tool.execution', ...times(20) });
  return { ...finishTrace(draft), status: 'error', task: 'Make the tests pass.' };
}

/** The same, with a hook that fails again as the last span. */
function failedHooks(calls = 2): Trace {
  const draft = emptyDraft();
  const error = { type: 'hook_error', message: 'hook runner returned no output' };
  const times = (startMs: number) => ({ startMs, endMs: startMs + 5 });
  addStep(draft, { kind: 'other', name: 'interaction', ...times(0) });
  for (let call = 0; call < calls; call += 1) {
    addStep(draft, { kind: 'other', name: 'shop.hook', error, ...times(10 + 20 * call) });
    addStep(draft, { kind: 'other', name: 'tool.execution', ...times(20 + 20 * call) });
  }
  return { ...finishTrace(draft), status: 'error', task: 'Make the tests pass.' };
}

/** A booking that fails; the next model call is given the error and does not report it. */
function received(): Trace {
  const draft = emptyDraft();
  const message = 'connect ECONNREFUSED 10.9.8.7:443';
  addStep(draft, { kind: 'tool', name: 'book', agent: 'clerk', error: { type: 'Error', message } });
  addStep(draft, {
    kind: 'llm',
    name: 'chat',
    agent: 'clerk',
    input: message,
    output: 'Your flight leaves on Friday.',
  });
  return finishTrace(draft);
}

const NO_ROOM = { type: 'RoomError', message: 'room service did not confirm the booking' };

/** A booking that fails, then works for something else, in a run whose root ends in this way. */
function ended(framework: string, rootError: StepError | null, kind: 'node' | 'tool' | 'llm'): Trace {
  const draft = { ...emptyDraft(), framework };
  const parent = addStep(draft, { kind: 'chain', name: 'trip', error: rootError });
  for (const [output, error] of [
    ['', NO_ROOM],
    ['booked 12', null],
  ] as const) {
    if (kind === 'tool')
      addStep(draft, {
        kind,
        name: 'book',
        parent,
        output,
        error,
        tool: { id: null, name: 'book', arguments: {}, result: output },
      });
    else if (kind === 'llm') addStep(draft, { kind, name: 'chat', parent, output, error, model: 'gpt-4o' });
    else addStep(draft, { kind: 'other', name: 'Book', node: 'Book', parent, output, error });
  }
  return finishTrace(draft);
}

function modelWithoutKind(): Trace {
  const draft = emptyDraft();
  const parent = addStep(draft, { kind: 'chain', name: 'trip' });
  const error = { type: '503', message: 'Service Unavailable' };
  addStep(draft, { kind: 'other', name: 'small-chat', parent, model: 'small-chat', error });
  return finishTrace(draft);
}

function withoutMessage(): Trace {
  const draft = emptyDraft();
  addStep(draft, {
    kind: 'llm',
    name: 'chat',
    model: 'small-chat',
    error: { type: '', message: 'the model call failed' },
  });
  return finishTrace(draft);
}

const FRAMEWORKS = ['n8n', 'langgraph', 'dify', 'crewai', 'openai-agents', 'unknown'];

/** The same in every framework, whatever failed. */
const END_ROWS: DetectorRow[] = FRAMEWORKS.flatMap((framework) =>
  (['node', 'tool', 'llm'] as const).flatMap((kind): DetectorRow[] => [
    {
      name: `${framework}, ${kind}: the root ended with the failure, though the same worked after it`,
      trace: ended(framework, { type: 'RoomError', message: `RoomError: ${NO_ROOM.message}` }, kind),
      fires: [
        {
          subtype: 'other',
          step: 1,
          severity: 'critical',
          text: 'The run ended with this failure',
          impact: `The run ended with this failure, without the work of this ${kind === 'node' ? 'step' : 'call'}.`,
        },
      ],
    },
    {
      name: `${framework}, ${kind}: the root ended with another failure`,
      trace: ended(framework, { type: 'PaymentError', message: 'the card was declined' }, kind),
      fires: [
        {
          subtype: 'other',
          step: 1,
          severity: 'observation',
          text: 'A later call worked',
          impact: `The work of this ${kind === 'node' ? 'step' : 'call'} was not done.`,
        },
      ],
    },
    {
      name: `${framework}, ${kind}: the root ended well`,
      trace: ended(framework, null, kind),
      fires: [{ subtype: 'other', step: 1, severity: 'observation', text: 'A later call worked' }],
    },
  ]),
);

function rejectedTime(answer: string, then = ''): string {
  return `user "A table at 7, please."
agent clerk
tool book {"time":"7pm"} !! ValueError: time data '7pm' does not match format '%H:%M'
${then}
llm gpt-4o -> ${JSON.stringify(answer)}`;
}

const rows: DetectorRow[] = [
  {
    name: 'other: the answer names the person of the rejected hand-over, whom the error names as well',
    trace: `
      agent desk
      tool pass_on {"to":"Mr. Brandt"} !! Conflict: Brandt is on leave, form stays here
      llm gpt-4o 90/12 -> "Mr. Brandt has your form and is calling you now."`,
    fires: [
      {
        subtype: 'other',
        step: 0,
        severity: 'warning',
        text: 'Neither the next answer nor the last one mentions the failure',
      },
    ],
  },
  {
    name: 'other: a probe inside the telemetry of a program is an observation',
    trace: program('ok'),
    fires: [{ subtype: 'other', severity: 'observation', text: 'nothing shows that work for a user was affected' }],
  },
  {
    name: 'other: a failed hook of a program that ended with an error is an observation',
    trace: program('error'),
    fires: [{ subtype: 'other', severity: 'observation' }],
  },
  {
    name: 'other: the same in a run with a task is not internal',
    trace: program('ok', 'Sort the list.'),
    fires: [{ subtype: 'other', severity: 'warning' }],
  },
  {
    name: 'other: a hook that failed several times did not end the run if the run continued after the first failure',
    trace: failedHooks(),
    fires: [
      {
        subtype: 'other',
        step: 1,
        severity: 'warning',
        text: 'Every recorded call of shop.hook failed.',
      },
    ],
  },
  {
    name: 'rate_limit: one call without a recorded retry',
    trace: 'agent clerk\nllm gpt-4o !! RateLimitError: 429 too many requests',
    fires: [{ subtype: 'rate_limit', suggestion: 'No retry of gpt-4o is recorded' }],
  },
  {
    name: 'internal_error: a span named like a model call has no own code',
    trace: namedModelCall(),
    fires: [{ subtype: 'internal_error', text: 'The model call', suggestion: 'Record the stack of this error' }],
  },
  {
    name: 'service: the model call that received the error is named',
    trace: received(),
    fires: [
      {
        subtype: 'service',
        text: 'The model call at step 1 received the error.',
        suggestion: 'Make clerk tell the user that book failed.',
      },
    ],
  },
  {
    name: 'other: a hook that failed in every call, without an answer after it',
    trace: failedHooks(3),
    fires: [{ subtype: 'other', text: 'It never worked in this run.' }],
  },
  ...END_ROWS,
  {
    name: 'an item whose error was passed on as the result',
    trace: takenOver('error_item'),
    fires: [
      {
        subtype: 'service',
        step: 1,
        severity: 'warning',
        text: 'the error was passed on as the result',
        suggestion: 'separate items with an error from results.',
      },
    ],
  },
  {
    name: 'an item that an unconnected error output dropped',
    trace: takenOver('dropped_item'),
    fires: [
      {
        subtype: 'service',
        step: 1,
        severity: 'warning',
        text: 'is not connected',
        suggestion: 'Connect the error output of',
        impact: 'The failed item is missing from the steps that follow',
      },
    ],
  },
  {
    name: 'a failure replaced by a default value',
    trace: takenOver('default_value'),
    fires: [{ subtype: 'service', step: 1, severity: 'warning', text: 'A default value replaced the result' }],
  },
  {
    name: 'a failure with an error branch',
    trace: takenOver('fail_branch'),
    fires: [{ subtype: 'service', step: 1, severity: 'info', text: 'has a path for this failure' }],
  },
  {
    name: 'schema_mismatch: a condition that was given another type',
    trace: takenOver(null, {
      type: 'NodeOperationError',
      message: "Wrong type: '2' is a string but was expecting a number [condition 0, item 0]",
    }),
    fires: [{ subtype: 'schema_mismatch', step: 1, severity: 'warning', text: 'another shape' }],
  },
  {
    name: 'silent: a tool that stops to ask a person',
    trace:
      'framework langgraph\nagent desk\ntool refund {"order":7} !! GraphInterrupt: (Interrupt(value="refund?"),)\nllm gpt-4o -> "Waiting."',
    silent: true,
  },
  {
    name: 'silent: a node that stops to wait for a person',
    trace: takenOver(null, { type: 'GraphInterrupt', message: 'Interrupt(value="approve?")' }),
    silent: true,
  },
  {
    name: 'silent: four identical failing calls are reported by loop',
    trace: 'agent clerk\nrepeat 4\n  tool book_seat {"row":4} !! AuthError: 401 unauthorized\nllm gpt-4o -> "Goodbye."',
    silent: true,
  },
  {
    name: 'two identical failing calls are not yet a loop',
    trace: 'agent clerk\nrepeat 2\n  tool book_seat {"row":4} !! AuthError: 401 unauthorized\nllm gpt-4o -> "Goodbye."',
    fires: [{ subtype: 'auth', severity: 'warning' }],
  },
  {
    name: 'rate_limit: an HTTP status in the result',
    trace: ignored('{"status":429,"message":"Too many requests"}'),
    fires: [{ subtype: 'rate_limit', step: 0, agent: 'clerk', severity: 'warning', text: 'book' }],
  },
  {
    name: 'auth: an error object',
    trace: ignored('{"error":{"code":401,"message":"token expired"}}'),
    fires: [{ subtype: 'auth', step: 0 }],
  },
  {
    name: 'not_found: a text that begins with it',
    trace: ignored('"404 Not Found"'),
    fires: [{ subtype: 'not_found' }],
  },
  {
    name: 'exhaustion: an exhausted quota that also returns 429',
    trace: ignored('{"error":{"code":"insufficient_quota","status":429,"message":"You exceeded your current quota"}}'),
    fires: [{ subtype: 'exhaustion' }],
  },
  {
    name: 'timeout: a failed span',
    trace: `agent clerk\ntool book {} !! TimeoutError: no answer after 30 s\n${SUCCESS_CLAIM}`,
    fires: [{ subtype: 'timeout', step: 0 }],
  },
  {
    name: 'service: connection refused',
    trace: `agent clerk\ntool book {} !! connect ECONNREFUSED 10.0.0.7:443\n${SUCCESS_CLAIM}`,
    fires: [{ subtype: 'service' }],
  },
  {
    name: 'invalid_arguments: a type error',
    trace: `agent clerk\ntool book {"dy":1} !! TypeError: book() got an unexpected keyword argument 'dy'\n${SUCCESS_CLAIM}`,
    fires: [{ subtype: 'invalid_arguments' }],
  },
  {
    name: 'invalid_arguments: never corrected, and nothing worked after it',
    trace: rejectedTime('I could not book the table: the time was not accepted.'),
    fires: [
      {
        subtype: 'invalid_arguments',
        step: 1,
        severity: 'warning',
        text: 'The run ended without a call that it accepts, and no other call worked after it.',
      },
    ],
  },
  {
    name: 'invalid_arguments: the run asks the user for the argument',
    trace: rejectedTime('I could not book the table: the time was not accepted. Which time do you want?'),
    silent: true,
  },
  {
    name: 'invalid_arguments: another call worked after it',
    trace: rejectedTime(
      'I could not book the table, so I left a note.',
      'tool leave_note {"text":"table at 7"} -> "left"',
    ),
    silent: true,
  },
  {
    name: 'invalid_arguments: corrected',
    trace: rejectedTime('The first call failed; the table is booked now.', 'tool book {"time":"19:00"} -> "booked"'),
    silent: true,
  },
  {
    name: 'other: no known wording',
    trace: `agent clerk\ntool book {} !! the printer is on fire\n${SUCCESS_CLAIM}`,
    fires: [{ subtype: 'other' }],
  },
  {
    name: 'service: a graph node ends the run; reported once and attributed to the node',
    trace: `
framework langgraph
span team !! database unavailable
  node loader !! database unavailable`,
    fires: [{ subtype: 'service', step: 1, agent: 'loader', severity: 'critical', text: 'loader' }],
  },
  {
    name: 'rate_limit: a failed model call ends the run',
    trace: `
agent writer
span run !! RateLimitError: 429 slow down
  llm gpt-4o !! RateLimitError: 429 slow down`,
    fires: [{ subtype: 'rate_limit', step: 1, severity: 'critical', text: 'gpt-4o' }],
  },
  {
    name: 'a later success makes it an observation',
    trace: `
agent clerk
tool book {} !! TimeoutError: no answer after 30 s
tool book {} -> "booked"
${SUCCESS_CLAIM}`,
    fires: [{ subtype: 'timeout', severity: 'observation' }],
  },
  {
    name: 'an answer that mentions the failure is not a warning',
    trace: `
agent clerk
tool book {"day":"friday"} -> {"error":"no seats"}
llm gpt-4o 10/5 -> "I am sorry, there are no seats on Friday."`,
    fires: [{ subtype: 'declined', severity: 'observation' }],
  },
  {
    name: 'silent: a full context window is reported by context_overflow',
    trace: `
agent writer
span run !! BadRequestError: 400 This model's maximum context length is 8192 tokens
  llm gpt-4o !! BadRequestError: 400 This model's maximum context length is 8192 tokens`,
    silent: true,
  },
  {
    name: 'silent: a run stopped at its step limit is reported by loop',
    trace: 'framework openai-agents\nspan helper !! MaxTurnsExceeded: Max turns (10) exceeded',
    silent: true,
  },
  {
    name: 'silent: a rejected concurrent write is reported by workflow_design',
    trace: "framework langgraph\nspan team !! InvalidUpdateError: At key 'total': can receive only one value per step",
    silent: true,
  },
  {
    name: 'exhaustion: a tool whose own model was sent too much',
    trace: ignored('{"error":{"code":400,"message":"prompt is too long: 210000 tokens"}}'),
    fires: [{ subtype: 'exhaustion', text: 'The call to tool book by clerk at step 0' }],
  },
  {
    name: 'silent: passing tests with a number that looks like a status',
    trace: `agent dev\ntool run_tests {} -> "404 tests passed, 0 errors"\n${SUCCESS_CLAIM}`,
    silent: true,
  },
  {
    name: 'silent: a file about errors',
    trace: `agent dev\ntool read_file {"path":"log.py"} -> "def log(error):\\n    raise ValueError('Error: failed')"\n${SUCCESS_CLAIM}`,
    silent: true,
  },
  {
    name: 'silent: an empty error field',
    trace: `agent a\ntool book {} -> {"id":7,"error":null,"status":"confirmed"}\n${SUCCESS_CLAIM}`,
    silent: true,
  },
  {
    name: 'silent: a failing test in a shell is work, not failure',
    trace: new TraceBuilder()
      .agent('dev')
      .tool('bash', { command: 'pytest -q' }, 'E   TypeError: bad\n1 failed', {
        error: { type: '', message: 'exit code 1: E   TypeError: bad' },
      })
      .llm('All good.')
      .build(),
    silent: true,
  },
  { name: 'not applicable without steps', trace: '', notApplicable: true },
  {
    name: 'refused calls and stops by the user are not failures of a tool',
    trace: `session {"endedBy":"interrupted"}
agent dev
user "Change the cart."
tool Edit {"file_path":"a.ts"} refused user "use tabs" !! The tool use was rejected
tool Edit {"file_path":"b.ts"} refused harness !! Sibling tool call errored
span interruption !! interrupted: interrupted by the user`,
    silent: true,
  },
  {
    name: 'a failure that is explained in another language',
    trace: `agent dev
user "请修改购物车的代码，并运行所有的测试。"
tool lookup_price {"id":7} -> {"error":"price table is locked"}
llm m -> "价格表目前被锁定，所以我没有拿到价格，先用旧的价格继续修改购物车的代码。"
tool list_items {"id":7} -> "3 items"
llm m -> "购物车的代码已经修改好了，但是价格还是旧的，因为价格表被锁定。"`,
    silent: true,
  },
  {
    name: 'an answer of the tool itself does not make it broken; not telling the user is the fault',
    trace: `agent clerk
tool cancel_parcel {"id":"P-7"} -> {"error":"parcels of the night tariff stay booked"}
llm m -> "Your parcel P-7 is cancelled and the money is on its way to you."`,
    fires: [{ subtype: 'declined', severity: 'warning', text: 'ran and returned an error message' }],
  },
  {
    name: 'three refusals that the user learns of are not a tool that never works',
    trace: `agent clerk
tool cancel_parcel {"id":"P-7"} -> {"error":"parcels of the night tariff stay booked"}
tool cancel_parcel {"id":"P-8"} -> {"error":"parcels of the night tariff stay booked"}
tool cancel_parcel {"id":"P-9"} -> {"error":"parcels of the night tariff stay booked"}
llm m -> "All three parcels stay booked, as their tariff asks for it."`,
    silent: true,
  },
  ...[
    ['the error repeated', 'The scale in hall 3 is still occupied, so I took the weight of last week.'],
    ['German, short', 'Das ging leider schief.'],
    ['Polish, short', 'Nie mam wyniku z wagi.'],
    ['Turkish, short', 'Terazi cevap vermedi.'],
    ['Japanese, short', 'はかりは使えませんでした。'],
    ['English, other words', 'The weighing did not go through.'],
  ].map(
    ([name, answer]): DetectorRow => ({
      name: `the answer mentions the failure: ${name}`,
      trace: `agent clerk\ntool weigh {"crate":4} !! scale occupied in hall 3\nllm m -> ${JSON.stringify(answer)}`,
      silent: true,
    }),
  ),
  {
    name: 'the next message of a chat mentions the failure',
    trace: `agent clerk
tool weigh {"crate":4} !! scale occupied in hall 3
message clerk "I could not weigh the crate."
message clerk "The order is complete and on its way to you."`,
    silent: true,
  },
  {
    name: 'a hook that failed while the program continued is not the end of the run, and its error names no cause',
    trace: failedHook(),
    fires: [
      {
        subtype: 'other',
        severity: 'warning',
        suggestion:
          'Find the cause in the log of interaction at the time of step 0: "hook runner returned no output" does not name it.',
      },
    ],
  },
  {
    name: 'never_worked: every call of a tool failed, each for another reason, and the agent reports it',
    trace: `agent clerk
tool weigh {"crate":4} !! TypeError: unsupported operand
tool weigh {"crate":5} !! TimeoutError: no answer
tool weigh {"crate":6} !! scale occupied
tool list_crates {} -> "4, 5, 6"
llm m -> "I could not weigh the crates."`,
    fires: [{ subtype: 'never_worked', severity: 'warning', step: 0, text: 'All 3 calls to tool weigh in this run' }],
  },
  {
    name: 'a failed run without an error text says no more than its status',
    trace: `framework langgraph
span team !!
  node reader -> "Three crates are due."
  node writer -> "Crate 4 is due on Monday, crate 5 on Tuesday."`,
    fires: [{ subtype: 'other', severity: 'observation', text: 'the status of the run is all that the trace shows' }],
  },
  {
    name: 'a failed call without an error text names the call that failed',
    trace: `framework langgraph
span team !!
  node reader -> "Three crates are due."
  node writer !!`,
    fires: [{ subtype: 'other', severity: 'critical', text: 'Step 2 (writer)' }],
  },
  {
    name: 'a failed run with an error text',
    trace: `framework langgraph
span team !! the crane is stuck
  node reader -> "Three crates are due."`,
    fires: [
      {
        subtype: 'other',
        severity: 'warning',
        text: '"the crane is stuck". The run ended with this error, and no step inside it failed.',
      },
    ],
  },
  ...['run failed', 'Internal error', 'Ausführung fehlgeschlagen', '実行に失敗しました'].map((message) => ({
    name: `a failed run whose error says no more than its status: ${message}`,
    trace: `framework langgraph\nspan team !! ${message}\n  node reader -> "Three crates are due."`,
    fires: [{ subtype: 'other', severity: 'observation' as const, text: 'the status of the run is all' }],
  })),
  {
    name: 'a failed run whose error has a known cause',
    trace: `framework langgraph
span team !! ConnectionError: connection refused
  node reader -> "Three crates are due."`,
    fires: [{ subtype: 'service', severity: 'critical' }],
  },
  ...[
    'AbortError: This operation was aborted',
    'KeyboardInterrupt',
    'Request was aborted by user',
    'Cancelled by the user',
    'The user aborted a request.',
    'Die Ausführung wurde vom Benutzer abgebrochen',
    'Annulé par l’utilisateur',
    'Cancelado por el usuario',
    'Cancelado pelo usuário',
    'Przerwane przez użytkownika',
    'Прервано пользователем',
    '用户取消',
    'ユーザーによってキャンセルされました',
  ].map((message) => ({
    name: `a run that was cancelled: ${message}`,
    trace: `agent clerk\nspan run !! ${message}\n  llm gpt-4o !! ${message}`,
    fires: [{ subtype: 'other', severity: 'info' as const, text: 'was cancelled', impact: 'The run was stopped' }],
  })),
  {
    name: 'a run that the user stopped needs no correction',
    trace: 'agent clerk\nspan run !! KeyboardInterrupt\n  llm gpt-4o !! Request was aborted by user',
    fires: [
      {
        subtype: 'other',
        severity: 'info',
        suggestion: 'Nothing has to be corrected if the user meant to stop step 1',
      },
    ],
  },
  {
    name: 'an error about something that the user cancelled is not a cancelled call',
    trace: `agent clerk\nspan run !! OrderError: order 4 was cancelled by the user\n  llm m !! OrderError: order 4 was cancelled by the user`,
    fires: [{ subtype: 'other', severity: 'critical' }],
  },
  {
    name: 'a running trace: the next call of the tool may work',
    trace: `running
agent clerk
tool weigh {"crate":4} !! weighing cell 4 is loose
tool weigh {"crate":5} !! weighing cell 5 is loose
tool weigh {"crate":6} !! weighing cell 6 is loose`,
    fires: [
      { subtype: 'other', text: 'Every recorded call of weigh so far failed. The run has not ended and may recover.' },
    ],
  },
  {
    name: 'never_worked: all fields that the calls lack, without one that a later call passes',
    trace: `agent clerk
tool book_crate {"crate":4,"owners":[{"born":"1990"}]} !! Error: 1 validation error for Owner  dob    Field required [type=missing, input_value={'born': '1990'}]
tool book_crate {"crate":4,"owners":[{"born":"1990-04-05"}]} !! Error: 1 validation error for Owner  dob    Field required [type=missing, input_value={'born': '1990-04-05'}]
tool book_crate {"crate":4,"owners":[{"dob":"1990-04-05"}]} !! Error: 2 validation errors for Payment  payment_id    Field required [type=missing]  amount    Field required [type=missing]
llm m -> "I could not book the crate."`,
    fires: [
      {
        subtype: 'never_worked',
        text: 'The calls lacked required fields: dob (steps 0 and 1), payment_id and amount (step 2).',
        suggestion:
          'Have clerk pass payment_id and amount to book_crate, and mark them as required in the schema: step 2 lacks them.',
        impact: 'Everything that needs this tool is missing from this run',
      },
    ],
  },
  {
    name: 'never_worked: the calls pass the required fields under other names',
    trace: `agent clerk
tool book_crate {"crate":4,"owners":[{"date_of_birth":"1990"}],"payments":[{"id":"card_7"}]} !! Error: 1 validation error for Owner  dob    Field required [type=missing, input_value={'date_of_birth': '1990'}]
tool book_crate {"crate":4,"owners":[{"date_of_birth":"1990"}],"payments":[{"id":"card_7"}]} !! Error: 1 validation error for Owner  dob    Field required [type=missing, input_value={'date_of_birth': '1990'}]
tool book_crate {"crate":4,"owners":[{"dob":"1990"}],"payments":[{"id":"card_7"}]} !! Error: 2 validation errors for Payment  payment_id    Field required [type=missing, input_value={...: 'card_7'}]  amount    Field required [type=missing]
llm m -> "I could not book the crate."`,
    fires: [
      {
        subtype: 'never_worked',
        text: 'The calls lacked required fields: dob (steps 0 and 1), payment_id and amount (step 2). They have date_of_birth in place of dob and id in place of payment_id.',
        suggestion: 'Have clerk pass payment_id (not id) and amount to book_crate',
      },
    ],
  },
  {
    name: 'never_worked: a field that a later call passes is not the advice',
    trace: `agent clerk
tool book_crate {"crate":4} !! Error: 1 validation error for Crate  owner  Field required
tool book_crate {"crate":4,"owner":"Mia"} !! TypeError: unsupported operand
tool book_crate {"crate":4,"owner":"Mia Li"} !! TypeError: unsupported operand
llm m -> "I could not book the crate."`,
    fires: [
      {
        subtype: 'never_worked',
        step: 0,
        suggestion: 'Call book_crate with the input of step 2 in a test',
      },
    ],
  },
  {
    name: 'never_worked: the first failure is quoted, also if loop reports the first calls',
    trace: `agent clerk
repeat 4
  tool weigh {"crate":4} !! scale is asleep
tool weigh {"crate":5} !! TypeError: unsupported operand
tool weigh {"crate":6} !! TimeoutError: no answer
tool weigh {"crate":7} !! 503: scale occupied
llm m -> "The crates weigh 12 kg."`,
    fires: [
      {
        subtype: 'never_worked',
        step: 0,
        text: 'All 7 calls to tool weigh in this run failed, the first at step 0: "scale is asleep". The last one, at step 6, failed with "503: scale occupied".',
      },
    ],
  },
  ...(
    [
      ['statuses in the results', '{"status":503,"message":"Service Unavailable"}'],
      ['exceptions that the framework reports as results', '"Error executing tool weigh: no answer"'],
    ] as const
  ).map(
    ([name, result]): DetectorRow => ({
      name: `never_worked: ${name}`,
      trace: `agent clerk
tool weigh {"crate":4} -> ${result}
tool weigh {"crate":5} -> ${result}
tool weigh {"crate":6} -> ${result}
llm m -> "The crates weigh 12 kg."`,
      fires: [{ subtype: 'never_worked', severity: 'warning', step: 0 }],
    }),
  ),
  ...(
    [
      ['a linter reports what it found', 'lint', '{"errors":[{"message":"\'foo\' is not defined","line":3}]}'],
      ['a linter in another notation', 'lint', '"{\\"errors\\": [\\"unused import\\"], \\"warnings\\": []}"'],
      ['a link checker reports a status', 'check_link', '{"status":503}'],
      [
        'a link checker reports a status next to the address',
        'check_link',
        '{"url":"https://shop.example/{n}","status":404}',
      ],
      ['a health check names the code of the service', 'probe', '{"statusCode":500,"latency":12}'],
      ['a test tool reports a failed assertion', 'assert_visible', '"AssertionError: #cart is hidden"'],
    ] as const
  ).map(
    ([name, tool, result]): DetectorRow => ({
      name: `silent: ${name}`,
      trace: `agent checker
repeat 3
  tool ${tool} {"target":"part{n}"} -> ${result}
llm m -> "Die drei Stellen sind im Bericht genannt."`,
      silent: true,
    }),
  ),
  {
    name: 'silent: the span of an assertion failed, three times',
    trace: `agent checker
repeat 3
  tool assert_visible {"target":"part{n}"} !! AssertionError: #part{n} is hidden
llm m -> "None of the three parts is visible."`,
    silent: true,
  },
  ...(
    [
      [
        'a name that is not known, in English',
        '"Error: user not found"',
        'Could you please tell me your name and zip code?',
        'warning',
      ],
      [
        'a name that is not known, as an object',
        '{"error":"user not found"}',
        'What is your postal code, and what is the name?',
        'warning',
      ],
      [
        'a rule of the business',
        '{"error":"seat 12A must be an adult seat"}',
        'Seat 12A is for adults. Shall I take 14C?',
        'warning',
      ],
      [
        'a rule of the business with a code of its own',
        '{"error":{"code":"SEAT_RULE","message":"seat 12A must be an adult seat"}}',
        'I could not book it.',
        'observation',
      ],
      [
        'a flag and a reason',
        '{"success":false,"message":"the table does not exist in this hall"}',
        'There is no such table.',
        'observation',
      ],
      [
        'a text in German',
        '"Error: Der Sitz 12A muss ein Sitz für Erwachsene sein"',
        'Soll ich 14C nehmen?',
        'observation',
      ],
    ] as const
  ).map(
    ([name, result, answer, severity]): DetectorRow => ({
      name: `an answer of the tool is declined, whatever its words: ${name}`,
      trace: `agent clerk\ntool book {"seat":"12A"} -> ${result}\nllm m -> ${JSON.stringify(answer)}`,
      fires: [{ subtype: 'declined', severity }],
    }),
  ),
  {
    name: 'the answer is in a language that is not searched: the text does not say whether it mentions the failure',
    trace: `agent clerk\ntool weigh {"crate":4} !! TimeoutError: no answer\nllm m -> "Laatikko on punnittu ja paino on kirjattu."`,
    fires: [
      {
        subtype: 'timeout',
        severity: 'observation',
        text: 'in a language in which admissions of failure are not recognised',
      },
    ],
  },
  ...(
    [
      ['a question', '请问您的姓名是什么?'],
      ['a negation', 'Die Kiste ist nicht auf der Waage.'],
      ['another try', 'I used another scale for the crate.'],
    ] as const
  ).map(
    ([name, answer]): DetectorRow => ({
      name: `the answer may mean the failure: the text does not say that it mentions it: ${name}`,
      trace: `agent clerk\ntool weigh {"crate":4} !! TimeoutError: no answer\nllm m -> ${JSON.stringify(answer)}`,
      fires: [
        { subtype: 'timeout', severity: 'observation', text: 'do not show clearly whether they mean this failure' },
      ],
    }),
  ),
  ...[
    'I have moved the payment of the client to Tuesday.',
    "I've weighed it.",
    'Weighed: 12 kg.',
    'Ich habe die Kiste gewogen, sie wiegt 12 kg.',
    'Die Kiste ist gewogen.',
    'La caja está pesada y el peso es de 12 kg.',
    'Kasayı tarttım, 12 kg ağırlığında bir kasa ve için rahat olsun.',
    '箱を計量しました。',
    '箱子已称重,重12公斤。',
  ].map(
    (answer): DetectorRow => ({
      name: `a claim after a failed call is a warning: ${answer}`,
      trace: `agent clerk\ntool weigh {"crate":4} !! TimeoutError: no answer\nllm m -> ${JSON.stringify(answer)}`,
      fires: [{ subtype: 'timeout', severity: 'warning', text: 'Neither the next answer nor the last one mentions' }],
    }),
  ),
  {
    name: 'the answer mentions the failure: the text says only that',
    trace: `agent clerk\ntool weigh {"crate":4} !! TimeoutError: no answer\nllm m -> "I could not weigh the crate."`,
    fires: [{ subtype: 'timeout', severity: 'observation', text: 'A later answer mentions the failure.' }],
  },
  {
    name: 'a tool that worked once is not reported as never working',
    trace: `agent clerk
tool weigh {"crate":3} -> "12 kg"
tool weigh {"crate":4} !! TypeError: unsupported operand
tool weigh {"crate":5} !! TimeoutError: no answer
tool weigh {"crate":6} !! scale occupied
llm m -> "I could not weigh the crates."`,
    silent: true,
  },
  {
    name: 'a failed model call whose span has no kind is a model',
    trace: modelWithoutKind(),
    fires: [{ subtype: 'service', step: 1, text: 'The call to model small-chat' }],
  },
  {
    name: 'a failure without a message is reported as such',
    trace: withoutMessage(),
    fires: [{ subtype: 'other', step: 0, text: 'No error message was recorded.' }],
  },
];

/** Specific causes have the same confidence as vague ones. */
const rowsOfCauses = ['503: Service Unavailable', '401: expired', 'the printer is on fire', 'TypeError: bad operand'];

describe('confidence of a cause', () => {
  it('is the same for every cause of the same outcome', () => {
    const confidences = rowsOfCauses.map((error) => {
      const trace = parseTrace(`agent clerk\ntool book {} !! ${error}\n${SUCCESS_CLAIM}`);
      const settings = { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS, overrides: {}, enabled: {} };
      const found = runDetectors(trace, settings).detections.find(({ type }) => type === 'tool_failure');
      return found?.confidence;
    });
    expect(confidences).toEqual(rowsOfCauses.map(() => confidences[0]));
    expect(confidences[0]).toBeGreaterThan(0.3);
  });
});

testDetector(toolFailure, rows, { readme: new URL('./README.md', import.meta.url) });
