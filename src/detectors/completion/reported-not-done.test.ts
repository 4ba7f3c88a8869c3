import { expect, it } from 'vitest';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';
import { sentenceOfFailure, sentenceOfInability } from './reported-not-done.ts';

const says = (text: string) => `llm gpt-4o -> ${JSON.stringify(text)}`;
const run = (answer: string, request = 'How deep is the basin of Savona?') =>
  `user ${JSON.stringify(request)}\nagent surfer\ntool open_page {"url":"https://port.example"} -> "Sign in"\n${says(answer)}`;

/** A run whose calls with different arguments fail or work. */
const afterCalls = (answer: string, calls: readonly ('fail' | 'work')[]) =>
  [
    'user "How deep is the basin of Savona?"\nagent surfer',
    ...calls.map(
      (each, at) => `tool run_code {"code":"depth(${at})"} ${each === 'fail' ? '!! ImportError' : '-> "12"'}`,
    ),
    says(answer),
  ].join('\n');

const rows: DetectorRow[] = [
  ...[
    ['Can you reach the host db1?', 'I could not reach db1.'],
    ['Does user Ida exist?', 'I could not find a user called Ida.'],
    ['Is https://x.example up?', 'I could not reach https://x.example: the connection was refused.'],
    ['Gibt es die Datei plan.md?', 'Ich konnte die Datei plan.md nicht finden.'],
    ['¿Existe el usuario Ida?', 'No pude encontrar al usuario Ida.'],
  ].map(
    ([request, answer]): DetectorRow => ({
      name: `silent: the sentence is the answer to ${request}`,
      trace: run(answer!, request),
      silent: true,
    }),
  ),
  ...[
    ['Is there a ferry to Savona on Sunday?', 'I could not find information about the ferry.'],
    ['Can you open the timetable and name the first ferry?', 'I could not open the timetable.'],
    ['Can you find the depth of the basin?', 'I could not find the depth of the basin.'],
  ].map(
    ([request, answer]): DetectorRow => ({
      name: `reported_not_done: the sentence does not answer ${request}`,
      trace: run(answer!, request),
      fires: [{ subtype: 'reported_not_done', step: 2 }],
    }),
  ),
  {
    name: 'reported_not_done: the answer says that the value was not determined',
    trace: run('I opened the page of the port. However, I could not determine the depth: the page asks for a login.'),
    fires: [
      {
        subtype: 'reported_not_done',
        step: 2,
        agent: 'surfer',
        severity: 'warning',
        text: 'surfer saying that it did not do what was requested: "However, I could not determine the depth: the page asks for a login.". The last call before it was open_page at step 1.',
      },
    ],
  },
  {
    name: 'reported_not_done: the task is stated as not completed after several sentences',
    trace: run('The page was opened. It shows a form. It has three fields. The task is not yet fully completed.'),
    fires: [{ subtype: 'reported_not_done', step: 2 }],
  },
  {
    name: 'reported_not_done: the last call failed',
    trace: `user "How deep is the basin?"\nagent surfer\ntool open_page {"url":"a"} !! Timeout\n${says('Failed to retrieve the depth of the basin.')}`,
    fires: [{ subtype: 'reported_not_done', step: 2, text: 'open_page at step 1, which failed.' }],
  },
  {
    name: 'reported_not_done: earlier messages report failures, in a text or in a field',
    trace: `user "How deep is the basin?"
agent surfer
${says('{"verdict":"Success - the page is open.","goal":"Log in."}')}
tool click {"at":1} -> "Sign in"
${says('{"verdict":"Failed - the page still asks for a login.","goal":"Click again."}')}
tool click {"at":2} -> "Sign in"
${says('{"verdict":"Unknown.","goal":"Click again."}')}
tool click {"at":3} -> "Sign in"
${says('I could not log in. Next, open the map.')}
tool click {"at":4} -> "Sign in"
${says('Failed again.')}
tool click {"at":5} -> "Sign in"
${says('I could not determine the depth: the page asks for a login.')}`,
    fires: [
      {
        subtype: 'reported_not_done',
        step: 11,
        text: '3 earlier messages of surfer (steps 3, 7 and 9) already admit a failure, the first one: "Failed - the page still asks for a login." From step 7 on, each of them does.',
        suggestion:
          'Read the messages from step 7 on, in which surfer reports failures, and the results before them. Have surfer take another way after the second such message in a row.',
      },
    ],
  },
  {
    name: 'reported_not_done: the answer is the argument of the call that ends the run',
    trace: `user "How deep is the basin of Savona?"
agent surfer
tool open_page {"url":"https://port.example"} -> "Sign in"
tool return_answer {"answer":"I could not determine the depth: the page asks for a login."} -> "accepted"`,
    fires: [{ subtype: 'reported_not_done', step: 2, agent: 'surfer' }],
  },
  {
    name: 'reported_not_done: after failed calls, the answer names what the agent cannot do',
    trace: afterCalls('The basin is in Savona. Given these limits, I cannot compute its depth.', ['fail', 'fail']),
    fires: [{ subtype: 'reported_not_done', step: 3, text: 'The last 2 calls before it failed (steps 1 and 2).' }],
  },
  ...[
    ['Japanese', '水深を特定できませんでした。ページがログインを要求しています。'],
    ['Japanese', '申し訳ありませんが、水深を確認できませんでした。'],
    ['Japanese', '水深は見つかりませんでした。'],
    ['Japanese', '水深を特定することができませんでした。'],
    ['Japanese', 'ページを開けませんでした。'],
    ['Polish', 'Nie udało mi się ustalić głębokości: strona wymaga logowania.'],
    ['Russian', 'Мне не удалось определить глубину: страница требует входа.'],
    ['Turkish', 'Derinliği belirleyemedim: sayfa oturum açılmasını istiyor.'],
    ['Arabic', 'لم أتمكن من تحديد العمق: الصفحة تطلب تسجيل الدخول.'],
    ['Korean', '수심을 확인할 수 없었습니다. 페이지가 로그인을 요구합니다.'],
  ].map(
    ([language, answer]): DetectorRow => ({
      name: `reported_not_done: in ${language}: ${answer}`,
      trace: run(answer!, 'サヴォーナ港の水深は？'),
      fires: [{ subtype: 'reported_not_done', step: 2 }],
    }),
  ),
  ...[
    ['条件に合う空室は見つかりませんでした。', 'サヴォーナのホテルの空室を教えてください。'],
    ['ホテルは見つかりませんでした。', 'サヴォーナにホテルはありますか。'],
    ['エラーは見つかりませんでした。', 'ログを調べてください。'],
    ['残念ながら見つかりませんでした。', 'サヴォーナの宿を見てください。'],
  ].map(
    ([answer, request]): DetectorRow => ({
      name: `silent: in Japanese, the answer may be that nothing exists: ${answer}`,
      trace: run(answer!, request),
      silent: true,
    }),
  ),
  {
    name: 'silent: one failed call',
    trace: afterCalls('The basin is in Savona. Given these limits, I cannot compute its depth.', ['work', 'fail']),
    silent: true,
  },
  {
    name: 'silent: a call worked after the failed ones',
    trace: afterCalls('The basin is in Savona. I cannot compute its depth.', ['fail', 'fail', 'work']),
    silent: true,
  },
  {
    name: 'silent: after failed calls, the answer asks the user',
    trace: afterCalls('I cannot compute its depth. Which chart do you use?', ['fail', 'fail']),
    silent: true,
  },
  {
    name: 'silent: the text of the last call is for a person, who takes over',
    trace: `user "How deep is the basin of Savona?"
agent surfer
tool open_page {"url":"https://port.example"} -> "Sign in"
tool call_person {"summary":"I could not determine the depth: the page asks for a login."} -> "A person takes over."`,
    silent: true,
  },
  {
    name: 'silent: the answer asks the user',
    trace: run('I could not find the basin. Which port do you mean?'),
    silent: true,
  },
  {
    name: 'silent: the user continued the conversation',
    trace: `${run('I could not determine the depth.')}\nuser "Then look at the map."\n${says('I could not find the depth there.')}`,
    silent: true,
  },
  {
    name: 'silent: a detail is missing after the result',
    trace: run('The basin is 12 m deep. The quay is 300 m long. I could not find the year of the survey.'),
    silent: true,
  },
  {
    name: 'silent: another action worked',
    trace: run('I could not find the basin by its name. The report was successfully sent to the master of the port.'),
    silent: true,
  },
  {
    name: 'silent: nothing of that kind exists',
    trace: run('I could not find any free berths in Savona.', 'Are there free berths in Savona?'),
    silent: true,
  },
  {
    name: 'silent: the request is about tasks',
    trace: run('The task "paint the pier" is not completed.', 'Which of the tasks of the port are open?'),
    silent: true,
  },
];

testDetector(completion, rows);

it.each([
  "I wasn't able to return to the page of the port.",
  'Attempts to open the timetable were unsuccessful.',
  'Tried two mirrors. Both were down. Therefore, we could not retrieve the file.',
  'The harbour list is missing; the task cannot be completed.',
  'Unfortunately, I cannot complete the task, as the page is closed.',
  'Ich konnte die Tiefe des Beckens leider nicht ermitteln.',
  'Je n’ai pas pu trouver la profondeur du bassin.',
  'No pude encontrar la profundidad de la dársena.',
  'Não consegui encontrar a profundidade da doca.',
  'Non sono riuscito a trovare la profondità del bacino.',
  'Ik kon de diepte van het bekken niet vinden.',
  'Мне не удалось определить глубину бассейна.',
  'Nie udało się ustalić głębokości basenu.',
  'Havuzun derinliğini bulamadım.',
  'لم أتمكن من تحديد عمق الحوض.',
  '항만의 수심을 찾는 데 실패했습니다.',
  '수심 데이터를 조회할 수 없습니다.',
  '**Cannot complete task.** The tool is not registered.',
  '我未能找到港池的深度。',
  '水深を特定することができませんでした。',
])('reads the outcome: %s', (answer) => {
  expect(sentenceOfFailure(answer, 'How deep is it?')).not.toBeNull();
});

it.each([
  'Given these limits, I cannot compute the depth.',
  'Ich kann die Tiefe mit diesen Mitteln nicht berechnen.',
  'Je ne peux pas calculer la profondeur.',
  'No puedo calcular la profundidad.',
  'Não consigo calcular a profundidade.',
  'Non riesco a calcolare la profondità.',
  'Ik kan de diepte niet berekenen.',
  '我无法计算水深。',
  '水深を計算できません。',
  'Я не могу вычислить глубину.',
  'Nie mogę obliczyć głębokości.',
  '수심을 계산할 수 없습니다.',
])('reads the inability after failed calls: %s', (answer) => {
  expect(sentenceOfInability(answer)).toBe(answer);
});

it.each(['I could compute the depth.', 'If I cannot open the chart, I use the map.', 'The depth is 12 m.'])(
  'is no inability: %s',
  (answer) => {
    expect(sentenceOfInability(answer)).toBeNull();
  },
);

it.each([
  'I am unable to offer a refund: the fare does not permit it.',
  'I cannot fulfill your request.',
  'The function could not find the file because its path was wrong, so I corrected the path.',
  'If I could not find the page, I would use the map.',
  'The basin is 12 m deep.',
  'The first attempts failed, and the third one returned 12 m.',
])('is no such outcome: %s', (answer) => {
  expect(sentenceOfFailure(answer, 'How deep is it?')).toBeNull();
});
