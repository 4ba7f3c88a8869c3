import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { toolFailure } from './detector.ts';

const HOSTS = ['old-1', 'old-2', 'old-3'];
const asked = (message: string, answer: string, error = 'ConnectionRefusedError: the host refused the connection') =>
  `agent ops\nuser ${JSON.stringify(message)}\n${HOSTS.map((host) => `llm m calls http_get {"url":"http://${host}.acme.test/"}\ntool http_get {"url":"http://${host}.acme.test/"} !! ${error}`).join('\n')}\nllm m -> ${JSON.stringify(answer)}`;
const ANSWER = 'None of the three answers: old-1, old-2 and old-3 refuse the connection, as they should.';

const fuzzed = (message: string) =>
  `agent qa\nuser ${JSON.stringify(message)}\n${['2026-13-01', '31.02.2026', 'soon', '0', '--'].map((text) => `tool parse_date {"text":"${text}"} !! ValueError: invalid date`).join('\n')}\nllm m -> "None: all five bad inputs raise an error."`;

const rows: DetectorRow[] = [
  ...[
    'We switched off three servers. Check that old-1, old-2 and old-3 do not answer any more.',
    'Please verify that old-1, old-2 and old-3 are down.',
    'Prüfe, dass old-1, old-2 und old-3 nicht mehr antworten.',
    'Stelle sicher, dass old-1, old-2 und old-3 abgeschaltet sind.',
    'Confirm that old-1, old-2 and old-3 are now closed.',
    'Vérifie que old-1, old-2 et old-3 ne répondent pas.',
    'Comprueba que old-1, old-2 y old-3 no responden nunca.',
    'old-1、old-2、old-3が応答しないことを確認してください。',
  ].map((message): DetectorRow => {
    return {
      name: `silent: the user expects that every call fails: ${message}`,
      trace: asked(message, ANSWER),
      silent: true,
    };
  }),
  {
    name: 'silent: the user expects that a service rejects the calls',
    trace: asked(
      'Make sure that old-1, old-2 and old-3 are refused.',
      ANSWER,
      'HTTPError: 422 Unprocessable Entity: invalid host',
    ),
    silent: true,
  },
  ...(
    [
      ['Run the matrix for role guest on old-1, old-2 and old-3: only list may work.', 'All 4 checks passed.'],
      [
        'Test the three hosts old-1, old-2 and old-3 as a guest. Only reading is allowed.',
        'The matrix is as specified.',
      ],
      ['Check old-1, old-2 and old-3: nur Lesen darf gehen.', 'Die Matrix ist wie vorgegeben.'],
    ] as const
  ).map(([message, answer]): DetectorRow => {
    return {
      name: `silent: a permission is tested that the user does not expect: ${message}`,
      trace: asked(message, answer, 'HTTPError: 401 Unauthorized'),
      silent: true,
    };
  }),
  ...[
    'Fuzz the parser with these five bad inputs and list those that do not raise an error.',
    'Test the parser with five invalid dates.',
    'Check that the parser rejects malformed strings.',
  ].map((message): DetectorRow => {
    return { name: `silent: the inputs are to be rejected: ${message}`, trace: fuzzed(message), silent: true };
  }),
  {
    name: 'never_worked: the inputs are to be accepted',
    trace: fuzzed('Parse these five dates and list the weekdays.'),
    fires: [{ subtype: 'never_worked' }],
  },
  {
    name: 'never_worked: a permission test is no reason for another failure',
    trace: asked(
      'Run the matrix for role guest on old-1, old-2 and old-3: only list may work.',
      'All 4 checks passed.',
    ),
    fires: [{ subtype: 'never_worked' }],
  },
  ...(
    [
      ['the user expects answers', 'Check the versions of old-1, old-2 and old-3.', ANSWER],
      ['the user says what to do on a failure', 'Check old-1, old-2 and old-3; if one is down, restart it.', ANSWER],
      ['the user forbids something else', 'Check old-1, old-2 and old-3, but do not restart them.', ANSWER],
      ['the user expects it of other hosts', 'Check that new-1 does not answer.', ANSWER],
      [
        'the answer reports the failure as its own',
        'Check that old-1, old-2 and old-3 do not answer any more.',
        'I could not reach any of the hosts: my tool has no network.',
      ],
    ] as const
  ).map(([name, message, answer]): DetectorRow => {
    return { name: `never_worked: ${name}`, trace: asked(message, answer), fires: [{ subtype: 'never_worked' }] };
  }),
  {
    name: 'never_worked: the calls have the wrong arguments',
    trace: asked(
      'Check that old-1, old-2 and old-3 do not answer any more.',
      ANSWER,
      "TypeError: http_get() got an unexpected keyword argument 'url'",
    ),
    fires: [{ subtype: 'never_worked' }],
  },
  ...(
    [
      [
        'Run the permission matrix for role guest: create, update, delete. Only list may work.',
        'HTTPError: 401 Unauthorized',
        'The matrix for guest is as specified: POST, PUT and DELETE are answered with 401.',
      ],
      [
        'Which of these links are dead? http://old-1.acme.test/ http://old-2.acme.test/ http://old-3.acme.test/',
        'HTTPError: 404 Not Found',
        'Three links are dead: http://old-1.acme.test/, http://old-2.acme.test/ and http://old-3.acme.test/.',
      ],
      [
        'Does the API limit us at two requests? Send three more.',
        'HTTPError: 429 Too Many Requests',
        'Yes, each of them is answered with 429.',
      ],
      [
        'Fuzz the fetcher with these three bad inputs and list those that do not raise an error.',
        'ValueError: invalid host',
        'None: all three bad inputs raise an error.',
      ],
      [
        'Welche dieser Seiten sind tot?',
        'HTTPError: 404 Not Found',
        'Tot sind http://old-1.acme.test/, http://old-2.acme.test/ und http://old-3.acme.test/.',
      ],
      [
        'リンク切れを調べてください。',
        'HTTPError: 404 Not Found',
        'http://old-1.acme.test/、http://old-2.acme.test/、http://old-3.acme.test/ はリンク切れです。',
      ],
    ] as const
  ).map(([message, error, answer]): DetectorRow => {
    return {
      name: `silent: a rejection answers the request: ${message}`,
      trace: asked(message, answer, error),
      silent: true,
    };
  }),
  {
    name: 'silent: a file that the user asked about does not exist',
    trace:
      'agent ops\nuser "Is there a file notes.txt in my home?"\nllm m calls stat {"path":"/home/a/notes.txt"}\ntool stat {"path":"/home/a/notes.txt"} !! ENOENT: no such file or directory\nllm m -> "No, there is no notes.txt in your home folder."',
    silent: true,
  },
  ...(
    [
      ['the answer says the opposite', 'Which of these links are dead?', 'All links work.'],
      ['the answer speaks of no call', 'Repair the broken links on our page.', 'No broken links remain on the page.'],
      ['no probe', 'Load the three pages.', 'Three pages are loaded, no page is missing.'],
      ['its own failure', 'Which of these links are dead?', 'Sorry, I could not load http://old-1.acme.test/.'],
    ] as const
  ).map(([name, message, answer]): DetectorRow => {
    return {
      name: `never_worked: not what was probed: ${name}`,
      trace: asked(message, answer, 'HTTPError: 401 Unauthorized'),
      fires: [{ subtype: 'never_worked' }],
    };
  }),
  {
    name: 'never_worked: a probe that was called in the wrong way',
    trace: asked(
      'Fuzz the fetcher with these three bad inputs.',
      'All three bad inputs raise an error.',
      "TypeError: http_get() got an unexpected keyword argument 'url'",
    ),
    fires: [{ subtype: 'never_worked' }],
  },
];

testDetector(toolFailure, rows);
