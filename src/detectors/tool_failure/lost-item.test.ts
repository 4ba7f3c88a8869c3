import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { toolFailure } from './detector.ts';

const photos = (failing: number, answer: string, then = '') =>
  `user "Convert all 5 photos in /in to JPEG."
agent photo
llm m calls list_files {"path":"/in"}
tool list_files {"path":"/in"} -> "1.heic, 2.heic, 3.heic, 4.heic, 5.heic"
${[1, 2, 3, 4, 5].map((n) => `llm m calls convert {"file":"${n}.heic","to":"jpeg"}\ntool convert {"file":"${n}.heic","to":"jpeg"} ${n === failing ? '!! DecodeError: unexpected end of data' : '-> "ok"'}`).join('\n')}
${then}
llm m -> ${JSON.stringify(answer)}`;

const invite = (answer: string) =>
  `user "Send the invitation to the ten people on the list."
agent inviter
${Array.from({ length: 10 }, (_, n) => `tool send_invite {"to":"p${n}@x.example"} ${n > 1 && n < 5 ? '!! SmtpError: 550 mailbox full' : '-> "sent"'}`).join('\n')}
llm m -> ${JSON.stringify(answer)}`;

const LOST = 'No later call that worked has';

const set = (answer: string, { error = '500 Internal Server Error', after = '' } = {}) =>
  `user "Set log_level to debug in /etc/app/config.yaml and restart the app."
agent ops
tool read_file {"path":"/etc/app/config.yaml"} -> "log_level: info"
tool write_file {"path":"/etc/app/config.yaml","content":"log_level: debug"} !! ${error}
${after}
tool restart_service {"service":"app"} -> "{\\"active\\": true}"
llm m -> ${JSON.stringify(answer)}`;

const rows: DetectorRow[] = [
  ...[
    'All 5 photos are converted to JPEG.',
    'Done: 5 of 5 photos converted.',
    'I converted all five photos.',
    'Alle 5 Fotos sind konvertiert.',
    'Las 5 fotos están convertidas: todas las fotos son JPEG.',
    'All photos are converted.',
  ].map(
    (answer): DetectorRow => ({
      name: `other: one item of a list failed, and the last answer claims all: ${answer}`,
      trace: photos(3, answer),
      fires: [{ subtype: 'other', severity: 'warning', text: `${LOST} "3.heic"` }],
    }),
  ),
  {
    name: 'other: three of ten items failed, and the last answer claims all ten',
    trace: invite('All ten invitations have been sent to the people on your list.'),
    fires: [{ subtype: 'other', severity: 'warning', text: `${LOST} "p2@x.example"` }],
  },
  ...(
    [
      ['the answer names the failed item', photos(3, 'All photos are converted, except 3.heic, which is corrupt.')],
      ['the answer says how many are done', photos(3, '4 of 5 photos are converted.')],
      ['the answer says that one is missing', photos(3, 'I converted all photos. One could not be read.')],
      ['the answer claims no number', photos(3, 'The photos are in /out.')],
      [
        'all of something else',
        photos(3, 'The photos are in /out. All names end with jpeg, and every folder is kept.'),
      ],
      ['the answer says all of another number', photos(3, 'All 4 readable photos are converted.')],
      [
        'a later call of the same item worked',
        photos(3, 'All 5 photos are converted.', 'tool convert {"file":"3.heic","to":"jpeg","repair":true} -> "ok"'),
      ],
      [
        'another tool did the same item',
        photos(3, 'All 5 photos are converted.', 'tool repair_image {"path":"/in/3.heic"} -> "ok"'),
      ],
    ] as const
  ).map(
    ([name, trace]): DetectorRow => ({
      name: `an observation: ${name}`,
      trace,
      fires: [{ subtype: 'other', severity: 'observation' }],
    }),
  ),
  {
    name: 'an observation: the later calls correct the argument',
    trace: `user "Find the parcels of Anna Meier, Bob Ott and Eva Lund."
agent clerk
tool find {"name":"Anna Meyer"} !! LookupError: unknown
tool find {"name":"Anna Meier"} -> "P-1"
tool find {"name":"Bob Ott"} -> "P-2"
tool find {"name":"Eva Lund"} -> "P-3"
llm m -> "All 3 parcels are found: P-1, P-2, P-3."`,
    fires: [{ subtype: 'not_found', severity: 'observation', text: 'A later call with other arguments worked.' }],
  },
  ...(
    [
      ['service', '500 Internal Server Error'],
      ['auth', 'EACCES: permission denied'],
      ['exhaustion', 'ENOSPC: no space left on device'],
    ] as const
  ).map(
    ([subtype, error]): DetectorRow => ({
      name: `the last answer claims the failed change, and another tool worked: ${error}`,
      trace: set('Done. log_level is set to debug and the app is restarted.', { error }),
      fires: [{ subtype, severity: 'warning', text: 'says "log_level is set to debug and the app is restarted."' }],
    }),
  ),
  ...(
    [
      ['the answer mentions the failure', set('I could not write log_level, but the app is restarted.'), 'observation'],
      [
        'another tool made the change',
        set('Done. log_level is set to debug and the app is restarted.', {
          after: 'tool put_setting {"key":"log_level","value":"debug"} -> "ok"',
        }),
        'info',
      ],
      ['the answer claims something else', set('The app is restarted.'), 'info'],
      ['the answer announces the change', set('The app is restarted. I will set log_level to debug next.'), 'info'],
      [
        'a look-up failed and another one worked',
        `user "What does order ORD-5512 contain?"
agent clerk
tool get_order {"id":"ORD-5512"} !! 503 Service Unavailable
tool search {"text":"chairs"} -> "chairs, 2 pieces"
llm m -> "Order ORD-5512 is packed: two chairs."`,
        'info',
      ],
    ] as const
  ).map(
    ([name, trace, severity]): DetectorRow => ({
      name: `${severity}: ${name}`,
      trace,
      fires: [{ subtype: 'service', severity }],
    }),
  ),
];

testDetector(toolFailure, rows);
