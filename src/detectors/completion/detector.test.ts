import type { Trace } from '../../core/trace.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { completion } from './detector.ts';

const FAILED = 'tool book_table {"day":"friday"} !! ServiceError: the table is taken';
/** A test run with this output. */
const RUN = (output: string) => `tool Bash {"command":"npm test"} -> ${JSON.stringify(output)}`;
const TODO = (second: string) =>
  `tool TodoWrite {"todos":[{"content":"read the parser","status":"completed"},{"content":"add the tests","status":"${second}"}]} -> "ok"`;

/** A flight is changed repeatedly; the user writes ten times. */
const TROUBLED = `
system "Help with bookings."
${Array.from(
  { length: 11 },
  (_, nth) => `user "Please change leg ${nth}, that is not what I wanted."
agent assistant
llm m -> "Let me search for that. I will update the reservation now." calls update_reservation_flights {"leg":${nth},"payment":"card_${nth}"}
tool update_reservation_flights {"leg":${nth},"payment":"card_${nth}"} -> "${nth % 2 === 1 ? 'Error: payment amount does not add up' : 'updated'}"
tool calculate {"expression":"${nth} + 100"} -> "${nth + 100}"
tool get_reservation_details {"id":"R${nth}"} -> {"leg":${nth}}
llm m -> "The flights have been updated. The total is ${nth * 37} dollars. Do you need anything else?"`,
).join('\n')}`;

/** An iteration over four items in which some rounds fail. */
function iteration(returned: number | null, failed: number[], { isRetried = false, isFlat = false } = {}): Trace {
  const draft = emptyDraft();
  const rounds = { kind: 'items' as const, planned: 4, run: null, returned, hasLeftEarly: null };
  const settings = { kind: 'other' as const, name: 'Each seed', node: 'Each seed', durationMs: 60_000 };
  const parent = addStep(draft, { ...settings, output: 'done', facts: { rounds } });
  const visit = (round: number, error: { type: string; message: string } | null) =>
    addStep(draft, {
      kind: 'other',
      name: 'Sow',
      node: 'Sow',
      output: 'sown',
      parent: isFlat ? null : parent,
      error,
      facts: { round },
    });
  for (const round of [0, 1, 2, 3]) {
    const isFailed = failed.includes(round);
    visit(round, isFailed ? { type: '404', message: 'no such seed' } : null);
    if (isFailed && isRetried) visit(round, null);
  }
  addStep(draft, { kind: 'llm', model: 'gpt-4o', output: 'All seeds are sown.' });
  return finishTrace(draft);
}

function twoPorts(answer: string, announcement = 'Let me look at the berths of Genoa.'): string {
  return `user "Find a berth."
agent clerk
llm gpt-4o -> ${JSON.stringify(announcement)} calls find_berth {"port":"Genoa"}
tool find_berth {"port":"Genoa"} -> "no free berth"
llm gpt-4o -> ${JSON.stringify(answer)}`;
}

/** Messages with a call as a step of its own after each of them, and a last message without one. */
function threeMessages(first: string, second: string, last: string): string {
  return `user "Paint the gate."
agent painter
llm m -> ${JSON.stringify(first)}
tool look {"at":"gate"} -> "it is rusty"
llm m -> ${JSON.stringify(second)}
tool look {"at":"shed"} -> "red paint"
llm m -> ${JSON.stringify(last)}`;
}

/** The report of a tester, and what a reviewer says about it. */
const reported = (answer: string, between = '') =>
  `user "Write fib with tests."
agent coder
llm m -> "\`\`\`python\\ndef fib(n): ...\\n\`\`\`"
agent tester
llm m -> "Ran pytest: test_fib_0 FAILED. 2 failed, 1 passed."
${between}
agent reviewer
llm m -> ${JSON.stringify(answer)}`;

const rows: DetectorRow[] = [
  {
    name: 'result_unanswered: the user got no answer, which is critical',
    trace: `
user "Where is the mill?"
agent clerk
llm m -> "" calls search {"q":"bakery"}
tool search {"q":"bakery"} -> ["bakery street 4"]
llm m -> "" calls search {"q":"mill"}
tool search {"q":"mill"} -> ["mill street 4"]`,
    fires: [{ subtype: 'result_unanswered', severity: 'critical' }],
  },
  {
    name: 'call_pending: the user got a call instead of an answer, which is critical',
    trace: `
user "Accept the notice."
agent surfer
tool click {"index":3} -> "page 2"
llm m -> "Thought: accept the notice.\\nAction: click[9]"`,
    fires: [{ subtype: 'call_pending', severity: 'critical' }],
  },
  {
    name: 'items_dropped: failed items are removed from the results',
    trace: iteration(3, [1]),
    fires: [{ subtype: 'items_dropped', step: 0, severity: 'warning', text: 'results for 3 of its 4 items' }],
  },
  {
    name: 'items_dropped: failures are recorded and results are not',
    trace: iteration(null, [1, 2]),
    fires: [{ subtype: 'items_dropped', text: 'results for 2 of its 4 items' }],
  },
  {
    name: 'items_dropped: rounds that are siblings of the iteration',
    trace: iteration(3, [1], { isFlat: true }),
    fires: [{ subtype: 'items_dropped', step: 0 }],
  },
  { name: 'silent: no item is missing', trace: iteration(4, []), silent: true },
  { name: 'silent: a failed round was retried', trace: iteration(4, [2], { isRetried: true }), silent: true },
  { name: 'silent: an empty result of a round that worked', trace: iteration(3, []), silent: true },
  {
    name: 'claimed_despite_failure: the agent says that it booked',
    trace: `agent clerk\n${FAILED}\nllm gpt-4o -> "Your table has been booked successfully for Friday."`,
    fires: [{ subtype: 'claimed_despite_failure', step: 1, agent: 'clerk', severity: 'warning', text: 'book_table' }],
  },
  {
    name: 'claimed_despite_failure: in German',
    trace: `agent clerk\n${FAILED}\nllm gpt-4o -> "Der Tisch wurde erfolgreich für Freitag reserviert."`,
    fires: [{ subtype: 'claimed_despite_failure', step: 1 }],
  },
  {
    name: 'claimed_despite_failure: in Chinese',
    trace: `agent clerk\n${FAILED}\nllm gpt-4o -> "餐桌已成功预订。"`,
    fires: [{ subtype: 'claimed_despite_failure', step: 1 }],
  },
  {
    name: 'tests_claimed_not_run',
    trace: 'agent dev\ntool edit_file {"path":"a.py"} -> "ok"\nllm gpt-4o -> "I changed the loop. All tests pass."',
    fires: [{ subtype: 'tests_claimed_not_run', step: 1, severity: 'warning', text: 'All tests pass' }],
  },
  {
    name: 'silent: a service reports that the tests passed',
    trace:
      'agent dev\ntool edit_file {"path":"a.py"} -> "ok"\ntool ci_pipeline {"branch":"b"} -> "all 120 tests passed"\nllm gpt-4o -> "All tests pass in CI."',
    silent: true,
  },
  {
    name: 'silent: a service reports its conclusion',
    trace:
      'agent dev\ntool edit_file {"path":"a.py"} -> "ok"\ntool get_workflow_run {"id":7} -> {"name":"ci","conclusion":"success"}\nllm gpt-4o -> "All tests pass in CI."',
    silent: true,
  },
  {
    name: 'tests_claimed_not_run: an unclear call gives info',
    trace:
      'agent dev\ntool edit_file {"path":"a.py"} -> "ok"\ntool pruefstand {"zweig":"b"} -> "120 von 120 in Ordnung"\nllm gpt-4o -> "All tests pass."',
    fires: [{ subtype: 'tests_claimed_not_run', step: 2, severity: 'info' }],
  },
  {
    name: 'tests_claimed_despite_failure: the last run says the opposite',
    trace: `agent dev\n${RUN('3 failed, 12 passed')}\nllm gpt-4o -> "Done. All tests pass now."`,
    fires: [
      { subtype: 'tests_claimed_despite_failure', step: 1, agent: 'dev', severity: 'critical', text: 'npm test' },
    ],
  },
  {
    name: 'tests_claimed_despite_failure: the last run returned counts in fields',
    trace: `user "Deploy it."
agent releaser
tool run_smoke_tests {"env":"staging"} -> {"passed":29,"failed":2,"failures":["checkout_total","login_redirect"]}
tool deploy {"env":"production"} -> {"status":"success"}
llm m -> "v5.2.0 is live. All smoke tests passed."`,
    fires: [{ subtype: 'tests_claimed_despite_failure', step: 3, agent: 'releaser' }],
  },
  {
    name: 'silent: the counts show no failure',
    trace: `user "Deploy it."
agent releaser
tool run_smoke_tests {"env":"staging"} -> {"passed":31,"failed":0}
llm m -> "All smoke tests passed."`,
    silent: true,
  },
  {
    name: 'tests_claimed_despite_failure: another agent reported failures before',
    trace: reported('Looks good. All tests pass. APPROVED.'),
    fires: [
      {
        subtype: 'tests_claimed_despite_failure',
        step: 3,
        agent: 'reviewer',
        severity: 'warning',
        text: 'the last report of tests before it, of tester at step 2, says "2 failed, 1 passed',
      },
    ],
  },
  { name: 'silent: the reviewer names the failures', trace: reported('Two tests fail: fix them.'), silent: true },
  {
    name: 'silent: the code changed after the report',
    trace: reported('All tests pass now.', 'agent coder\nllm m -> "Fixed:\\n```python\\ndef fib(n): return n\\n```"'),
    silent: true,
  },
  {
    name: 'silent: a later report has no failures',
    trace: reported('All tests pass now.', 'agent tester\nllm m -> "Ran pytest again: 3 passed."'),
    silent: true,
  },
  {
    name: 'tests_claimed_despite_failure: the advice names the failure and not another run',
    trace:
      'agent dev\ntool Bash {"command":"npm test"} exit 1 -> "start\\nAssertionError: 4 is not 5\\n    at sum.js:3"\nllm gpt-4o -> "Done. All tests pass now."',
    fires: [
      {
        subtype: 'tests_claimed_despite_failure',
        suggestion:
          'Repair the failure of step 0 ("AssertionError: 4 is not 5"). Do not let dev answer while the last test run is red.',
        fix: 'Repair what the tests show',
      },
    ],
  },
  {
    name: 'tests_claimed_despite_failure: changed since, and not run again',
    trace: `agent dev\n${RUN('3 failed, 12 passed')}\ntool edit_file {"path":"a.py"} -> "ok"\nllm gpt-4o -> "All tests pass now."`,
    fires: [
      {
        subtype: 'tests_claimed_despite_failure',
        step: 2,
        text: 'no test was run',
        suggestion: 'Run the tests after the last change',
        fix: 'Run the tests after the last change, and repair what they show',
      },
    ],
  },
  {
    name: 'tests_claimed_despite_failure: the claiming message submits the work',
    trace: `agent dev\n${RUN('3 failed, 12 passed')}\nllm gpt-4o calls submit {} -> "All tests pass now."`,
    fires: [{ subtype: 'tests_claimed_despite_failure', step: 1, severity: 'critical' }],
  },
  {
    name: 'tests_claimed_despite_failure: a later call submits the work; earlier failures of the same command are named',
    trace: `agent dev\n${RUN('3 failed, 12 passed')}\n${RUN('3 failed, 12 passed')}\nllm gpt-4o -> "All tests pass now."\ntool attempt_completion {"result":"done"} -> "ok"`,
    fires: [
      {
        subtype: 'tests_claimed_despite_failure',
        step: 2,
        text: 'The same command had already failed at step 0, without an edit in between. attempt_completion at step 3 then submitted the work.',
        suggestion: 'Do not let dev answer or call attempt_completion while the last test run is red.',
      },
    ],
  },
  ...[
    ['pytest tests/slow', 'exit 4 -> "ERROR: file or directory not found: tests/slow\\n\\nno tests ran in 0.01s"'],
    ['pytest -k slow', 'exit 5 -> "12 deselected in 0.02s"'],
    ['npx vitest run slow', 'exit 1 -> "No test files found, exiting with code 1"'],
    ['npx jest slow', 'exit 1 -> "No tests found, exiting with code 1"'],
    ['npm run test:slow', 'exit 1 -> "npm error Missing script: \\"test:slow\\""'],
    ['make test-slow', 'exit 2 -> "make: *** No rule to make target \'test-slow\'.  Stop."'],
    ['python -m unittest slow', 'exit 5 -> "Ran 0 tests in 0.000s\\n\\nNO TESTS RAN"'],
  ].map(([command, result]) => ({
    name: `silent: the last command found no tests, and the tests before it had passed: ${command}`,
    trace: `agent dev\ntool edit_file {"path":"a.py"} -> "ok"\n${RUN('12 passed')}\ntool bash {"command":"${command}"} ${result}\nllm gpt-4o -> "All 12 tests pass."`,
    silent: true as const,
  })),
  {
    name: 'tests_claimed_despite_failure: the command after the failing tests found no tests',
    trace: `agent dev\n${RUN('3 failed, 12 passed')}\ntool bash {"command":"pytest tests/slow"} exit 4 -> "ERROR: file or directory not found: tests/slow"\nllm gpt-4o -> "All tests pass now."`,
    fires: [{ subtype: 'tests_claimed_despite_failure', step: 2, severity: 'critical', text: 'at step 0, had failed' }],
  },
  {
    name: 'tests_claimed_despite_failure: the tests could not be collected',
    trace: `agent dev\ntool bash {"command":"pytest"} exit 2 -> "ERROR tests/test_a.py - SyntaxError: invalid syntax\\n1 error in 0.1s"\nllm gpt-4o -> "All tests pass now."`,
    fires: [{ subtype: 'tests_claimed_despite_failure', step: 1, severity: 'critical' }],
  },
  {
    name: 'silent: the message runs something',
    trace: `agent dev\n${RUN('3 failed, 12 passed')}\nllm gpt-4o calls bash {} -> "All tests pass now."`,
    silent: true,
  },
  {
    name: 'silent: the tests passed after they had failed',
    trace: `agent dev\n${RUN('3 failed, 12 passed')}\n${RUN('15 passed')}\nllm gpt-4o -> "All tests pass now."`,
    silent: true,
  },
  {
    name: 'silent: a later run without a recorded end',
    trace: `agent dev\n${RUN('3 failed, 12 passed')}\n${RUN('')}\nllm gpt-4o -> "All tests pass now."`,
    silent: true,
  },
  {
    name: 'silent: a script of the agent succeeded after it',
    trace: `agent dev\n${RUN('3 failed, 12 passed')}\ntool Bash {"command":"python3 try.py"} -> "1 passed"\nllm gpt-4o -> "All tests pass now."`,
    silent: true,
  },
  {
    name: 'silent: says what fails',
    trace: `agent dev\n${RUN('1 failed, 12 passed')}\nllm gpt-4o -> "All tests pass now. Only test_net, which needs the network, failed as before."`,
    silent: true,
  },
  {
    name: 'silent: the user saw them pass',
    trace: `agent dev\n${RUN('1 failed, 12 passed')}\nuser "They pass on my machine."\nllm gpt-4o -> "Great, all tests pass now."`,
    silent: true,
  },
  {
    name: 'silent: the tests could not be started',
    trace: `agent dev\n${RUN('sh: jest: command not found')}\nllm gpt-4o -> "All tests pass now."`,
    silent: true,
  },
  {
    name: 'unfulfilled_announcement',
    trace:
      'agent clerk\ntool search {"q":"hotel"} -> ["Bellevue"]\nllm gpt-4o -> "Bellevue fits. Now I will book the room."',
    fires: [{ subtype: 'unfulfilled_announcement', step: 1, agent: 'clerk', severity: 'warning' }],
  },
  {
    name: 'unfulfilled_announcement: in Spanish',
    trace:
      'agent clerk\ntool search {"q":"hotel"} -> ["Bellevue"]\nllm gpt-4o -> "Ahora voy a reservar la habitación."',
    fires: [{ subtype: 'unfulfilled_announcement' }],
  },
  {
    name: 'announced_call_missing: an earlier announcement came with its call',
    trace: twoPorts('Genoa is full. Now I will look at the berths of Savona.'),
    fires: [
      {
        subtype: 'announced_call_missing',
        step: 3,
        agent: 'clerk',
        severity: 'warning',
        text: 'and no call follows. At step 1 it announced an action too and requested find_berth in the same message.',
      },
    ],
  },
  {
    name: 'announced_call_missing: a format that does not record requested calls',
    trace: twoPorts('Genoa is full. Now I will look at the berths of Savona.').replace(/ calls .*$/m, ''),
    fires: [
      {
        subtype: 'announced_call_missing',
        step: 3,
        severity: 'warning',
        text: 'At step 1 it announced an action too, and the call of find_berth follows.',
      },
    ],
  },
  {
    name: 'unfulfilled_announcement: a call by another agent does not belong to the earlier announcement',
    trace: `user "Find a berth."
agent clerk
llm gpt-4o -> "Let me look at the berths of Genoa."
agent runner
tool find_berth {"port":"Genoa"} -> "no free berth"
agent clerk
llm gpt-4o -> "Genoa is full. Now I will look at the berths of Savona."`,
    fires: [{ subtype: 'unfulfilled_announcement' }],
  },
  {
    name: 'announced_call_missing: in German',
    trace: twoPorts('Genua ist voll. Ich werde jetzt in Savona suchen.', 'Ich werde in Genua suchen.'),
    fires: [{ subtype: 'announced_call_missing', severity: 'warning' }],
  },
  ...[
    ['Let me look at the gate:', 'The shed may have paint:', 'The red paint fits. Let me paint it:'],
    ['Ich sehe mir das Tor an:', 'Im Schuppen ist vielleicht Farbe:', 'Die rote Farbe passt. Das Tor wird gestrichen:'],
    ['先看大门：', '再看仓库：', '红漆合适，**开始刷漆：**'],
  ].map(
    ([first, second, last]): DetectorRow => ({
      name: `announced_call_missing: each message that ends with a colon came with a call, except the last one: ${last}`,
      trace: threeMessages(first!, second!, last!),
      fires: [
        {
          subtype: 'announced_call_missing',
          step: 5,
          agent: 'painter',
          severity: 'warning',
          text: 'and no call follows. A call followed each of its 2 earlier messages that end with a colon (steps 1 and 3).',
        },
      ],
    }),
  ),
  {
    name: 'announced_call_missing: the calls are in the messages',
    trace: `
agent painter
llm m -> "The gate:" calls look {"at":"gate"}
llm m -> "The shed:" calls look {"at":"shed"}
llm m -> "The paint fits:"`,
    fires: [{ subtype: 'announced_call_missing', step: 2 }],
  },
  ...[
    ['one earlier message', 'I look at the gate.', 'The shed may have paint:', 'The red paint fits:'],
    ['the last message has no colon', 'I look at the gate:', 'The shed may have paint:', 'The gate is red.'],
    ['the list follows', 'I look at the gate:', 'The shed may have paint:', 'The gate has:\n- rust\n- red paint'],
    ['it addresses the user', 'I look at the gate:', 'The shed may have paint:', 'Here is the gate for you:'],
  ].map(
    ([why, first, second, last]): DetectorRow => ({
      name: `silent: messages that end with a colon: ${why}`,
      trace: threeMessages(first!, second!, last!),
      silent: true,
    }),
  ),
  {
    name: 'silent: no call followed an earlier message that ends with a colon',
    trace: `agent painter\nllm m -> "My plan:"\n${threeMessages('I look at the gate:', 'The shed may have paint:', 'The red paint fits:')}`,
    silent: true,
  },
  ...[
    ['Ich suche jetzt nach Liegeplätzen in Genua.', 'Genua ist voll. Nun werde ich in Savona suchen.'],
    ['Zuerst suche ich in Genua.', 'Genua ist voll. Als Nächstes werde ich in Savona suchen.'],
    ['Jetzt suche ich in Genua.', 'Genua ist voll. Jetzt suche ich in Savona.'],
    ['Ich werde nun in Genua suchen.', 'Genua ist voll. Dann prüfe ich die Liegeplätze in Savona.'],
    ['Voy a buscar en Génova.', 'Génova está lleno. A continuación buscaré en Savona.'],
    ['Primero voy a buscar en Génova.', 'Génova está lleno. Ahora voy a buscar en Savona.'],
    ['Je vais chercher à Gênes.', 'Gênes est complet. Maintenant, je vais chercher à Savone.'],
    ['Je cherche d’abord à Gênes.', 'Gênes est complet. Je vais maintenant chercher à Savone.'],
    ['Cerco ora a Genova.', 'Genova è al completo. Ora cerco a Savona.'],
    ['Prima cercherò a Genova.', 'Genova è al completo. Adesso cercherò a Savona.'],
    ['Vou procurar em Gênova.', 'Gênova está lotada. Agora vou procurar em Savona.'],
    ['Primeiro vou procurar em Gênova.', 'Gênova está lotada. Em seguida, vou verificar Savona.'],
    ['Ik ga nu in Genua zoeken.', 'Genua is vol. Nu ga ik in Savona zoeken.'],
    ['Ik zoek eerst in Genua.', 'Genua is vol. Vervolgens zal ik in Savona zoeken.'],
    ['Сейчас я поищу в Генуе.', 'В Генуе нет мест. Теперь я поищу в Савоне.'],
    ['Я буду искать в Генуе.', 'В Генуе нет мест. Теперь проверю Савону.'],
    ['我将查询热那亚的泊位。', '热那亚没有空位。接下来我将查询萨沃纳的泊位。'],
    ['让我查一下热那亚。', '热那亚没有空位。现在我来查一下萨沃纳。'],
    ['次にジェノヴァを検索します。', 'ジェノヴァは満杯です。次にサヴォーナを検索します。'],
    ['まずジェノヴァを確認します。', 'ジェノヴァは満杯です。続いてサヴォーナを確認します。'],
  ].map(
    ([first, last]): DetectorRow => ({
      name: `announced_call_missing: ${last}`,
      trace: twoPorts(last!, first),
      fires: [{ subtype: 'announced_call_missing', severity: 'warning' }],
    }),
  ),
  ...[
    'Genua ist voll. Jetzt kenne ich den Preis von Savona.',
    'Genua ist voll. Dann empfehle ich Savona.',
    'Genua ist voll. Nun bin ich fertig.',
    'Genova è al completo. Ora so il prezzo di Savona.',
    'Genua is vol. Nu weet ik de prijs van Savona.',
    'В Генуе нет мест. Теперь я знаю цену в Савоне.',
    'Génova está lleno. Ahora sé el precio de Savona.',
    'ジェノヴァは満杯です。次にサヴォーナをおすすめします。',
  ].map(
    (last): DetectorRow => ({
      name: `silent: no announcement: ${last}`,
      trace: twoPorts(last),
      silent: true,
    }),
  ),
  {
    name: 'unfulfilled_announcement: the earlier message announced nothing',
    trace: twoPorts('Genoa is full. Now I will look at the berths of Savona.', 'Berths of Genoa:'),
    fires: [{ subtype: 'unfulfilled_announcement' }],
  },
  {
    name: 'unfulfilled_announcement: a calculation needs no call',
    trace: twoPorts('Genoa has 4 berths. Now I will calculate the price.'),
    fires: [{ subtype: 'unfulfilled_announcement' }],
  },
  {
    name: 'unfulfilled_announcement: the announced tool has already worked',
    trace: twoPorts('Genoa is full. I will use find_berth again for a later day.'),
    fires: [{ subtype: 'unfulfilled_announcement' }],
  },
  {
    name: 'unfulfilled_announcement: a promise to the user',
    trace: twoPorts("Berth 4 is reserved. I'll mail you the confirmation."),
    fires: [{ subtype: 'unfulfilled_announcement' }],
  },
  {
    name: 'silent: an announcement with a condition',
    trace: twoPorts('Genoa is full. I will look at Savona if the day is right.'),
    silent: true,
  },
  {
    name: 'silent: the announced call follows',
    trace: `${twoPorts('Genoa is full. Now I will look at the berths of Savona.')}\ntool find_berth {"port":"Savona"} -> "berth 2"\nllm gpt-4o -> "Savona has berth 2."`,
    silent: true,
  },
  {
    name: 'no_final_answer',
    trace: 'agent clerk\nllm gpt-4o -> "" calls search {"q":"hotel"}\ntool search {"q":"hotel"} -> ["Bellevue"]',
    fires: [{ subtype: 'no_final_answer', step: 1, severity: 'warning', text: 'search' }],
  },
  {
    name: 'no_final_answer: no text of any model call was recorded',
    trace: 'agent clerk\nllm gpt-4o 100/5\ntool search {"q":"hotel"} -> ["Bellevue"]',
    silent: true,
  },
  {
    name: 'no_final_answer: an executor ran the code of the last message, and its success ended the chat',
    trace: `
agent assistant
llm gpt-4o -> "This is the function:\\n\`\`\`python\\nprint(check())\\n\`\`\`"
agent executor
tool run_code {"code":"print(check())"} -> "exit code 0: all checks passed. STOP"`,
    silent: true,
  },
  {
    name: 'no_final_answer: the workflow extracts the result from the last message',
    trace: `
agent patcher
llm gpt-4o -> "Change line 3 of discount.ts as follows."
agent workflow
message workflow "A patch was taken out. The workflow ends."
tool take_patch {} -> "--- a/discount.ts"`,
    silent: true,
  },
  {
    name: 'no_final_answer: the answer of a coding agent is the argument of StructuredOutput',
    trace: `session {"endedBy":"completed"}
agent dev
llm m -> "" calls StructuredOutput {"summary":"Done."}
tool StructuredOutput {"summary":"Done."} flag ok -> "ok"`,
    silent: true,
  },
  ...['interrupted', 'refused', 'api_error', 'limit', 'unknown'].map((endedBy) => ({
    name: `no_final_answer: a coding session that ended by ${endedBy} needs no answer`,
    trace: `session {"endedBy":"${endedBy}"}
agent dev
llm m -> "" calls Read {"file_path":"/srv/a.ts"}
tool Read {"file_path":"/srv/a.ts"} flag ok -> "text"`,
    silent: true as const,
  })),
  {
    name: 'no_final_answer: a coding session that is marked as completed needs an answer',
    trace: `session {"endedBy":"completed"}
agent dev
llm m -> "" calls Read {"file_path":"/srv/a.ts"}
tool Read {"file_path":"/srv/a.ts"} flag ok -> "text"`,
    fires: [{ subtype: 'no_final_answer' }],
  },
  {
    name: 'open_todo_items',
    trace: `agent dev\n${TODO('pending')}\nllm gpt-4o -> "The parser is repaired."`,
    fires: [{ subtype: 'open_todo_items', step: 1, severity: 'warning', text: 'add the tests' }],
  },
  ...(['pending', 'completed'] as const).map((last): DetectorRow => {
    const items = ['read', 'repair', 'test'].map((content, n) => ({ todo_id: `${n + 1}`, content, status: 'pending' }));
    const update = (id: string, status: string) => `tool UpdateTodo {"todo_id":"${id}","status":"${status}"} -> "ok"`;
    const trace = [
      `agent dev\ntool WriteTodos ${JSON.stringify({ todos: items })} -> "ok"`,
      update('1', 'completed'),
      update('2', 'completed'),
      update('3', last),
      'llm gpt-4o -> "The parser is repaired."',
    ].join('\n');
    return last === 'completed'
      ? { name: 'silent: later calls close all items of the list', trace, silent: true }
      : {
          name: 'open_todo_items: later calls close some items of the list',
          trace,
          fires: [{ subtype: 'open_todo_items', step: 4, text: 'with 1 item of 3 on the list' }],
        };
  }),
  {
    name: 'silent: the list was emptied',
    trace: `agent dev\n${TODO('pending')}\ntool TodoWrite {"todos":[]} -> "ok"\nllm gpt-4o -> "The parser is repaired."`,
    silent: true,
  },
  {
    name: 'silent: the answer reports the failure',
    trace: `agent clerk\n${FAILED}\nllm gpt-4o -> "I could not book the table, it is taken."`,
    silent: true,
  },
  {
    name: 'silent: a second try worked',
    trace: `agent clerk\n${FAILED}\ntool book_table {"day":"sunday"} -> "booked"\nllm gpt-4o -> "Your table has been booked successfully."`,
    silent: true,
  },
  {
    name: 'silent: tests were run',
    trace:
      'agent dev\ntool edit_file {"path":"a.py"} -> "ok"\ntool bash {"command":"pytest"} -> "4 passed"\nllm gpt-4o -> "All tests pass."',
    silent: true,
  },
  {
    name: 'silent: a plan about tests is not a claim',
    trace:
      'agent dev\ntool edit_file {"path":"a.py"} -> "ok"\nllm gpt-4o -> "Please check that all tests pass before you merge."',
    silent: true,
  },
  {
    name: 'silent: an offer, not an announcement',
    trace: 'agent clerk\ntool search {"q":"hotel"} -> ["Bellevue"]\nllm gpt-4o -> "If you confirm, I will book it."',
    silent: true,
  },
  {
    name: 'silent: let me know',
    trace: 'agent clerk\nllm gpt-4o -> "The room is free. Let me know if you want it."',
    silent: true,
  },
  {
    name: 'silent: still running',
    trace: 'running\nagent clerk\nllm gpt-4o -> "Now I will book the room."',
    silent: true,
  },
  {
    name: 'silent: all items done',
    trace: `agent dev\n${TODO('completed')}\nllm gpt-4o -> "The parser is repaired."`,
    silent: true,
  },
  {
    name: 'silent: the failed call at the end is reported by tool_failure',
    trace: 'agent clerk\nllm gpt-4o -> "" calls search {"q":"hotel"}\ntool search {"q":"hotel"} !! ServiceError: 503',
    silent: true,
  },
  {
    name: 'silent: a support conversation with refused, corrected and many changes, with tools of any name',
    trace: TROUBLED,
    silent: true,
  },
  { name: 'not applicable without text', trace: 'span run', notApplicable: true },
  {
    name: 'claim_corrected: the build fails after "all tests pass"',
    trace: `user "Add a discount to the cart."
agent dev
tool Edit {"file_path":"/srv/cart.ts"} -> "ok"
tool Bash {"command":"npm test"} exit 0 -> "12 passed"
llm m -> "The discount has been added. All tests pass."
user "build failing: lint"
llm m -> "I correct the import."`,
    fires: [{ subtype: 'claim_corrected', step: 3, severity: 'warning', text: 'build failing' }],
  },
  {
    name: 'claim_corrected: the next request is not a correction',
    trace: `user "Add a discount to the cart."
agent dev
tool Edit {"file_path":"/srv/cart.ts"} -> "ok"
tool Bash {"command":"npm test"} exit 0 -> "12 passed"
llm m -> "The discount has been added. All tests pass."
user "Now write the changelog."
llm m -> "It is written."`,
    silent: true,
  },
];

testDetector(completion, rows, { readme: new URL('./README.md', import.meta.url) });
