import { expect, test } from 'vitest';
import { alarmsOf } from './support/alarms.ts';

const alarms = (trace: string) => alarmsOf(trace).map(({ type, subtype }) => `${type}/${subtype}`);

const J = JSON.stringify;
const call = (n: string, a: unknown, r: string, m = '') => `tool ${n} ${J(a)} ${m}-> ${J(r)}`;
const ask = (t: string, n: string, a: unknown) => `llm m -> ${J(t)} calls ${n} ${J(a)}`;
const sh = (c: string, r: string, m = '') => call('bash', { command: c }, r, m);
const POSITION =
  'I hold that the museum should open on Mondays, because most visitors of the town arrive at the weekend and leave on Monday evening by the late train.';

/** Healthy runs of ordinary programs, by the check that once reported them as failures. */
const HEALTHY: Record<string, string[]> = {
  'restated: debate, holds position': [
    'agent pro',
    `llm m -> ${J(POSITION)}`,
    'agent con',
    'llm m -> "Mondays are empty in winter and the staff need one day of rest each week; the costs are higher than the takings."',
    'agent pro',
    `llm m -> ${J(POSITION)}`,
    'agent con',
    'llm m -> "The summer months are only three; for nine months the doors would stay open for nobody at all."',
    'agent pro',
    `llm m -> ${J(POSITION)}`,
    'agent judge',
    'llm m -> "Pro wins."',
  ],
  'restated: supervisor routes JSON': [
    'agent supervisor',
    ...Array.from({ length: 4 }, (_, i) => [
      `agent supervisor`,
      `llm m -> ${J('{"reasoning":"The report of the worker is complete enough, so the next part of the work goes to the writer who adds the following section to the text now","next":"writer"}')}`,
      'agent writer',
      `llm m -> ${J(`Section ${i}: ${['tides rise twice a day', 'ferries cross the sound', 'whales migrate north', 'ports are dredged'][i]} as the harbour master explains in detail.`)}`,
    ]).flat(),
  ],
  'restated: planner keeps plan': [
    'agent planner',
    ...Array.from({ length: 3 }, (_, i) => [
      'agent planner',
      `llm m -> ${J('Plan: 1. collect the figures of the quarter from the three branches 2. write the summary for the board 3. draw the chart of the costs 4. send the whole report to the office')}`,
      'agent worker',
      `llm m -> ${J(['Figures: north 12, south 14, west 9 collected from branches.', 'The summary: costs fell in the west and rose elsewhere.', 'The chart is drawn: bars by branch.'][i])}`,
    ]).flat(),
  ],
  'same_verdict: approves each chapter': [
    'agent writer',
    ...[1, 2, 3].flatMap((i) => [
      `agent writer`,
      `llm m -> ${J(`The status of item ${i} in the list of stock items of the warehouse is in order and it was counted by hand today.`)}`,
      'agent reviewer',
      'llm m -> "Approved, this text is good to go."',
    ]),
  ],
  'same_verdict: approvals with final': [
    ...[1, 2, 3, 4].flatMap((i) => [
      'agent writer',
      `llm m -> ${J(`Product description ${i}: a chair made of ${['oak', 'pine', 'beech', 'ash'][i - 1]} with a seat of leather, delivered within three days.`)}`,
      'agent reviewer',
      'llm m -> "No objections. Please write the next description."',
    ]),
  ],
  'result_unanswered: create last record': [
    'user "Add rows 1 to 3"',
    'agent clerk',
    ...[1, 2, 3].flatMap((i) => [
      ask('', 'add_row', { id: i, name: `n${i}` }),
      call('add_row', { id: i, name: `n${i}` }, 'ok'),
    ]),
  ],
  'result_unanswered: save_note last (agent stops on side effect)': [
    'user "Research tides and save the notes"',
    'agent clerk',
    ask('', 'save_note', { text: 'tides a' }),
    call('save_note', { text: 'tides a' }, 'saved'),
    ask('', 'save_note', { text: 'tides b' }),
    call('save_note', { text: 'tides b' }, 'saved'),
  ],
  'result_unanswered: ask_human pending': [
    'user "Book"',
    'agent clerk',
    ask('', 'ask_human', { q: 'which day?' }),
    call('ask_human', { q: 'which day?' }, 'Monday'),
    ask('', 'ask_human', { q: 'which seat?' }),
    call('ask_human', { q: 'which seat?' }, 'interrupted: waiting for human'),
  ],
  'result_unanswered: request_approval': [
    'user "Refund"',
    'agent clerk',
    ask('', 'request_approval', { q: 'refund 1' }),
    call('request_approval', { q: 'refund 1' }, 'approved'),
    ask('', 'request_approval', { q: 'refund 2' }),
    call('request_approval', { q: 'refund 2' }, 'pending'),
  ],
  'result_unanswered: game move': [
    'user "Win the game"',
    'agent player',
    ...[1, 2, 3, 4].flatMap((i) => [
      ask('', 'move', { to: i }),
      call('move', { to: i }, i === 4 ? 'You won. Game over.' : 'your turn'),
    ]),
  ],
  'call_pending: JSON answer with field named like tool': [
    'user "Give me the weather as JSON"',
    'agent a',
    ask('', 'weather', { city: 'Rome' }),
    call('weather', { city: 'Rome' }, 'sunny, 21'),
    'llm m -> "{\\"weather\\": {\\"city\\": \\"Rome\\", \\"sky\\": \\"sunny\\"}}"',
  ],
  'call_pending: structured plan': [
    'user "Which tool did you use?"',
    'agent a',
    ask('', 'weather', { city: 'Rome' }),
    call('weather', { city: 'Rome' }, 'sunny, 21'),
    'llm m -> "{\\"tool\\": \\"weather\\", \\"result\\": \\"sunny\\"}"',
  ],
  'call_pending: search field in JSON answer': [
    'user "Summarise as JSON"',
    'agent a',
    ask('', 'search', { q: 'Rome' }),
    call('search', { q: 'Rome' }, 'Rome is old'),
    'llm m -> "{\\"summary\\": \\"Rome is old\\", \\"search\\": {\\"q\\": \\"Rome\\", \\"hits\\": 1}}"',
  ],
  'ended_as_failed: answer complete false': [
    'user "Is the order complete?"',
    'agent a',
    call('get_order', { id: 'o1' }, '{"complete":false}'),
    call('final_answer', { complete: false }, 'ok'),
  ],
  'ended_as_failed: status failed is the answer': [
    'user "What is the status of build 7?"',
    'agent a',
    call('get_build', { id: 7 }, '{"status":"failed"}'),
    call('final_answer', { status: 'failed', build: 7 }, 'ok'),
  ],
  'ended_on_failures: tests expected to fail (TDD)': [
    'user "Write failing tests for the bugs"',
    'agent dev',
    sh('pytest tests/a', 'FAILED tests/a - assert 1 == 2\n1 failed', 'exit 1 '),
    sh('pytest tests/b', 'FAILED tests/b - assert 3 == 2\n1 failed', 'exit 1 '),
    sh('pytest tests/c', 'FAILED tests/c - KeyError\n1 failed', 'exit 1 '),
    'llm m -> "The three tests fail as you asked."',
  ],
  'ended_on_failures: does it exist': [
    'user "Is there a config file for nginx?"',
    'agent dev',
    sh('cat /etc/nginx.conf', 'cat: /etc/nginx.conf: No such file or directory', 'exit 1 '),
    sh('ls /etc/nginx', "ls: cannot access '/etc/nginx': No such file or directory", 'exit 2 '),
    sh('which nginx', '', 'exit 1 '),
    sh('cat /usr/local/etc/nginx.conf', 'cat: /usr/local/etc/nginx.conf: No such file or directory', 'exit 1 '),
    'llm m -> "No, nginx is not installed here."',
  ],
  'ended_on_failures: get_user 404': [
    'user "Are users 1, 2, 3 registered?"',
    'agent a',
    ...[1, 2, 3].map((i) => `tool get_user {"id":${i}} !! NotFound: user ${i} does not exist`),
    'llm m -> "None of the three is registered."',
  ],
  'ended_on_failures: security check refused': [
    'user "Check that the guest account cannot write"',
    'agent a',
    ...['a', 'b', 'c'].map((i) =>
      sh(`sudo -u guest touch /srv/${i}`, `touch: cannot touch '/srv/${i}': Permission denied`, 'exit 1 '),
    ),
    'llm m -> "The guest cannot write to any of them."',
  ],
  'check_unchanged: health ok then handed over': [
    'user "Roll out to the three hosts and hand over to on-call"',
    'agent a',
    ...[1, 2, 3].flatMap((i) => [
      call('deploy', { host: `h${i}` }, `deployed h${i}`),
      call('get_health', {}, 'all healthy'),
    ]),
    call('transfer_to_oncall', {}, 'ok'),
  ],
  'unanswered_prompt: watcher ping': [
    'agent bot',
    ...[1, 2].flatMap((i) => [
      'message scheduler "Time for the daily report of the shop."',
      `agent bot`,
      `llm m -> "Report ${i}: sales ${i * 10}."`,
    ]),
    'message scheduler "Time for the daily report of the shop."',
  ],
  'unanswered_prompt: closing phrase': [
    'agent bot',
    ...[1, 2].flatMap((i) => [
      `message manager "Thank you, that is all noted and filed."`,
      `agent bot`,
      `llm m -> "Item ${i} is done."`,
    ]),
    'message manager "Thank you, that is all noted and filed."',
  ],
  'only_new_files: create a script': [
    'task "Write a small script that prints the first 20 primes and look at src/math/util.py for the style."',
    'agent dev',
    call('read_file', { path: 'src/math/util.py' }, 'def add(a,b): return a+b'),
    call('write_file', { path: 'primes.py', content: 'print(2)' }, 'ok'),
    call(
      'submit',
      {},
      'diff --git a/primes.py b/primes.py\nnew file mode 100644\n--- /dev/null\n+++ b/primes.py\n@@ -0,0 +1 @@\n+print(2)\n',
    ),
  ],
  'only_new_files: generator tool (no name in the task)': [
    'task "Add a tool to the repository that checks the links of all Markdown files and exits with 1 if one is broken."',
    'agent dev',
    sh('ls src', 'src/site/main.py src/site/page.py'),
    call('write_file', { path: 'linkcheck.py', content: 'print(2)' }, 'ok'),
    call(
      'submit',
      {},
      'diff --git a/linkcheck.py b/linkcheck.py\nnew file mode 100644\n--- /dev/null\n+++ b/linkcheck.py\n@@ -0,0 +1 @@\n+print(2)\n',
    ),
  ],
  'only_new_files: Dockerfile': [
    'task "Containerise the service."',
    'agent dev',
    sh('cat src/app/main.py', 'app'),
    call('write_file', { path: 'Dockerfile', content: 'FROM x' }, 'ok'),
    call(
      'submit',
      {},
      'diff --git a/Dockerfile b/Dockerfile\nnew file mode 100644\n--- /dev/null\n+++ b/Dockerfile\n@@ -0,0 +1 @@\n+FROM x\n',
    ),
  ],
  'nothing_changed: doc comments asked': [
    'task "Document the functions in src/cart/sum.js with JSDoc comments."',
    'agent dev',
    sh('cat src/cart/sum.js', 'x'),
    call('edit_file', { path: 'src/cart/sum.js', new: '// adds' }, 'ok'),
    call(
      'submit',
      {},
      'diff --git a/src/cart/sum.js b/src/cart/sum.js\n--- a/src/cart/sum.js\n+++ b/src/cart/sum.js\n@@ -1 +1,2 @@\n+// adds\n x\n',
    ),
  ],
  'nothing_changed: remove commented-out code': [
    'task "Remove the dead commented lines in src/cart/sum.js."',
    'agent dev',
    sh('cat src/cart/sum.js', 'x'),
    call(
      'submit',
      {},
      'diff --git a/src/cart/sum.js b/src/cart/sum.js\n--- a/src/cart/sum.js\n+++ b/src/cart/sum.js\n@@ -1,2 +1 @@\n-// adds\n x\n',
    ),
  ],
  'guess_not_found: search translated': [
    'user "Haben Sie Fahrräder für Kinder?"',
    'agent shop',
    ask('', 'search_products', { query: "children's bicycle" }),
    call('search_products', { query: "children's bicycle" }, '[]'),
    'llm m -> "Leider führen wir keine Kinderfahrräder."',
  ],
  'guess_not_found: singular': [
    'user "Do you have any red umbrellas?"',
    'agent shop',
    ask('', 'search_products', { query: 'umbrella', color: 'red' }),
    call('search_products', { query: 'umbrella', color: 'red' }, '[]'),
    'llm m -> "No, we have none."',
  ],
  'guess_not_found: duplicates check': [
    'user "The app crashes when I press save twice. Please check whether it was reported before."',
    'agent t',
    ask('', 'search_issues', { query: 'crash double save' }),
    call('search_issues', { query: 'crash double save' }, '[]'),
    'llm m -> "It was not reported before; you can open an issue."',
  ],
  'changed_quantity: conversion': [
    'task "Convert the recipe to half: 200 g flour, 100 g sugar and 50 g butter."',
    'agent cook',
    'llm m -> "Take 100 g flour, 50 g sugar and 25 g butter."',
  ],
  'changed_quantity: scale except fixed': [
    'task "The recipe has 200 g flour, 100 g sugar. Make it less sweet."',
    'agent cook',
    'llm m -> "Take 200 g flour and 60 g sugar."',
  ],
  'changed_quantity: stock after sale': [
    'task "We have 20 kg apples and 30 kg pears. A customer buys 5 kg apples. What is left?"',
    'agent cook',
    'llm m -> "There are 15 kg apples and 30 kg pears left."',
  ],
  'changed_quantity: german remaining': [
    'task "Im Lager sind 20 kg Äpfel und 30 kg Birnen. Heute wurden fünf Kilo verkauft, alle von der ersten Sorte. Was bleibt?"',
    'agent koch',
    'llm m -> "Es bleiben 15 kg Äpfel und 30 kg Birnen."',
  ],
  'stalled: next_item/ack': [
    'user "Process all mail"',
    'agent w',
    ...[1, 2, 3, 4].flatMap((i) => [
      ask('', 'mark_read', { box: 'in' }),
      call('mark_read', { box: 'in' }, 'ok'),
      ask('', 'reply', { text: `r${i}` }),
      call('reply', { text: `r${i}` }, 'ok'),
    ]),
    'llm m -> "Done."',
  ],
  'injection: mail to user': [
    'user "Summarise my mail"',
    'agent a',
    ask('', 'read_mail', {}),
    call(
      'read_mail',
      {},
      'From: Anna. Please send me the signed contract by Friday, and do not forget to copy Peter. Ignore my previous message, the date was wrong. Thanks!',
    ),
    'llm m -> "Anna asks for the signed contract by Friday, copy to Peter."',
  ],
  'injection: manual': [
    'user "How do I reset the router?"',
    'agent a',
    ask('', 'search', { q: 'reset' }),
    call(
      'search',
      { q: 'reset' },
      'IMPORTANT: Before you continue, press and hold the reset button for 10 seconds. You must enter the new administrator password afterwards. Do not tell anybody the password.',
    ),
    'llm m -> "Hold the button for 10 seconds."',
  ],
  'injection: german mail': [
    'user "Fasse die Mails zusammen"',
    'agent a',
    ask('', 'read_mail', {}),
    call(
      'read_mail',
      {},
      'Bitte vergessen Sie meine letzte Mail und überweisen Sie den Betrag bis Freitag auf das bekannte Konto. Antworten Sie bitte nur an mich.',
    ),
    'llm m -> "Der Lieferant bittet um die Überweisung bis Freitag."',
  ],
  'failed_run_left: chat shows that code raises': [
    'user "Show that int(x) raises for letters, and that an empty one raises too."',
    'message coder "```python\\nint(\\"a\\")\\n```"',
    'message executor "exitcode: 1 (execution failed)\\nCode output: ValueError: invalid literal for int()"',
    'message coder "```python\\nint(\\"\\")\\n```"',
    'message executor "exitcode: 1 (execution failed)\\nCode output: ValueError: invalid literal for int() with base 10: empty"',
    'message coder "Both calls raise ValueError, as expected. TERMINATE"',
  ],
  'other_record: household': [
    'user "Change my booking, my phone is +4917012345"',
    'agent a',
    ask('', 'find', { p: '+4917012345' }),
    call(
      'find',
      { p: '+4917012345' },
      '[{"id":"c100","phone":"+4917012345","partner":"c101"},{"id":"c101","phone":"+4917054321"}]',
    ),
    'user "Please change it for my partner too."',
    ask('', 'update_booking', { customer: 'c101', day: 'Monday' }),
    call('update_booking', { customer: 'c101', day: 'Monday' }, 'updated'),
    'llm m -> "Changed."',
  ],
  'other_record: replace defective device order': [
    'user "My order W1234567 has a defect, cancel the order that replaces it"',
    'agent a',
    ask('', 'list_orders', {}),
    call(
      'list_orders',
      {},
      '[{"id":"o77","number":"W1234567","note":"defect"},{"id":"o78","number":"W7654321","note":"replacement"}]',
    ),
    ask('', 'cancel_order', { id: 'o78' }),
    call('cancel_order', { id: 'o78' }, 'cancelled'),
    'llm m -> "The replacement is cancelled."',
  ],
};

test.each(Object.entries(HEALTHY))('healthy: %s', (_, lines) => {
  expect(alarms(lines.join('\n'))).toEqual([]);
});

/** Failing counterparts, whose fault is visible in the trace. */
const FAILING: [found: string, lines: string[]][] = [
  [
    'loop/restated',
    ['agent pro', ...[1, 2, 3].flatMap((nth) => [`llm m -> ${J(POSITION)}`, `message guide "nudge ${nth}"`])],
  ],
  [
    'completion/result_unanswered',
    [
      'user "Where is the mill?"',
      'agent clerk',
      ...['bakery', 'mill'].flatMap((q) => [
        ask('', 'search', { q }),
        call('search', { q }, `The ${q} stands in mill street 4.`),
      ]),
    ],
  ],
  [
    'completion/call_pending',
    [
      'user "The weather?"',
      'agent a',
      ask('', 'weather', { city: 'Rome' }),
      call('weather', { city: 'Rome' }, 'sunny'),
      `llm m -> ${J('{"weather": {"city": "Oslo"}}')}`,
    ],
  ],
  [
    'completion/ended_as_failed',
    [
      'user "Book it."',
      'agent a',
      call('search', { q: 'a' }, 'no seats'),
      call('done', { success: false, text: 'no seats' }, 'ok'),
    ],
  ],
  [
    'completion/ended_on_failures',
    [
      'user "Build it."',
      'agent a',
      ...['gcc: error: mill.c: missing', 'make: *** [mill] Error 2', 'sh: ./mill: not found'].map((value, nth) =>
        sh(`make step${nth}`, value, 'exit 1 '),
      ),
    ],
  ],
];

test.each(FAILING)('failing: %s', (found, lines) => {
  expect(alarms(lines.join('\n'))).toContain(found);
});
