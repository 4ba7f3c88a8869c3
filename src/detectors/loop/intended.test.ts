import type { Trace } from '../../core/trace.ts';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { loop } from './detector.ts';

const STATUS = '{"name":"web","ready":3,"desired":3,"image":"web:4.2","conditions":["Available","Progressing"]}';
const checked = (message: string, times: number) => `agent operator
user ${JSON.stringify(message)}
repeat ${times}
  llm m calls get_deployment {"name":"web"}
  tool get_deployment {"name":"web"} -> ${STATUS}
llm m -> "web is stable."`;

/** A trace of a format that records no times. */
function untimed(text: string): Trace {
  const trace = parseTrace(text);
  return { ...trace, steps: trace.steps.map((step) => ({ ...step, startMs: null, endMs: null })) };
}

const polled = (wait: string, result: string) => `agent warden
user "Watch the cold store for a while and tell me the mean temperature."
repeat 5
  llm m calls read_sensor {"room":"cold-2"}
  tool read_sensor {"room":"cold-2"} -> {"room":"cold-2","temperature":-18.5,"humidity":61,"door":"closed"}
  llm m calls ${wait}
  tool ${wait} -> ${result}
llm m -> "The mean is -18.5 degrees."`;

/** Checks with a pause of the program before each call. */
function paused(pauseMs: (round: number) => number, text = checked('Is web stable?', 6)): Trace {
  const trace = parseTrace(text);
  let round = 0;
  let shiftMs = 0;
  const steps = trace.steps.map((step) => {
    if (step.kind === 'tool') shiftMs += pauseMs(round++);
    return { ...step, startMs: step.startMs! + shiftMs, endMs: step.endMs! + shiftMs };
  });
  return { ...trace, steps };
}

/** Checks that each take this long themselves. */
function slow(durationMs: (round: number) => number, text = checked('Is web stable?', 10)): Trace {
  const trace = parseTrace(text);
  let round = 0;
  let shiftMs = 0;
  const steps = trace.steps.map((step) => {
    const startMs = step.startMs! + shiftMs;
    if (step.kind === 'tool') shiftMs += durationMs(round++);
    return { ...step, startMs, endMs: step.endMs! + shiftMs };
  });
  return { ...trace, steps };
}

const instructed = (instructions: string) =>
  `system ${JSON.stringify(instructions)}\n${checked('Tell me when web is ready.', 10)}`;

/** A repeated act that is only confirmed, what the agent looks at afterwards, and its answer. */
const acted = (call: string, result: string, times: number, look: string) => `agent robot
user "Find the cancellation policy."
repeat ${times}
  llm m calls ${call}
  tool ${call} -> ${result}
${look}
llm m -> "You can cancel until the evening before."`;
const SCROLL = 'computer {"action":"scroll","coordinate":[640,400],"scroll_direction":"down","scroll_amount":5}';
const SCREENSHOT = `llm m calls computer {"action":"screenshot"}
tool computer {"action":"screenshot"} -> "Booking terms. Cancellation is free until 18:00 on the day before arrival, and 40 euros later."`;
const LOOK = `llm m calls look {}
tool look {} -> "A corridor with a red carpet; the door is 40 cm ahead, and its handle is on the left side."`;

/** The same prompt of a scheduler for each round. */
const beaten = (answer: string) => `agent monitor
repeat 8
  user "Heartbeat check."
  llm m calls get_alerts {}
  tool get_alerts {} -> {"alerts":[]}
${answer}`;

const rows: DetectorRow[] = [
  {
    name: 'exact_repetition: a repeated act of a tool whose other actions describe something',
    trace: acted(SCROLL, '"Scrolled down 5."', 7, SCREENSHOT),
    fires: [{ subtype: 'exact_repetition', severity: 'info', fix: 'Return what computer changed' }],
  },
  {
    name: 'exact_repetition: a repeated act whose effect the agent looks at afterwards',
    trace: acted('step_forward {}', '{"ok":true}', 9, LOOK),
    fires: [{ subtype: 'exact_repetition', severity: 'info', fix: 'Return what step_forward changed' }],
  },
  {
    name: 'exact_repetition: a repeated act whose effect nobody looks at',
    trace: acted('step_forward {}', '{"ok":true}', 9, ''),
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'exact_repetition: a repeated act with a look that fails',
    trace: acted('step_forward {}', '{"ok":true}', 9, 'tool look {} !! TimeoutError: no picture'),
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  ...['[image]', '[image]\\n[image]', '[document terms.pdf]'].map((result): DetectorRow => {
    return {
      name: `silent: results whose content is not recorded: ${result}`,
      trace: acted(SCROLL, `"${result}"`, 10, ''),
      silent: true,
    };
  }),
  {
    name: 'silent: one call for each of the equal messages of a scheduler',
    trace: beaten('  llm m -> "HEARTBEAT_OK"'),
    silent: true,
  },
  {
    name: 'exact_repetition: a prompt that is sent again without an answer to it',
    trace: beaten('llm m -> "HEARTBEAT_OK"'),
    fires: [{ subtype: 'exact_repetition' }],
  },
  ...[
    'Watch web for 10 minutes, one check a minute, and tell me if it ever fails.',
    'Check web every minute for 10 minutes.',
    'Wait for web to start, at most ten minutes, then tell me.',
    'Is web stable? Sample it a few times.',
    'Keep checking web until I stop you.',
    'Überwache web 10 Minuten lang.',
    'Prüfe web jede Minute.',
    'Surveille web pendant dix minutes.',
    'Comprueba web cada minuto durante diez minutos.',
    'Controlla web ogni minuto.',
    'Verifica web a cada minuto.',
    'Controleer web elke minuut.',
    'Sprawdzaj web co minutę.',
    'Проверяй web каждую минуту.',
    'web her dakika kontrol et.',
    '每分钟检查一次web。',
    'webを10分間監視してください。',
    'web을 10분 동안 확인해 주세요.',
    'راقب web كل دقيقة.',
  ].map((message): DetectorRow => {
    return { name: `silent: the user asked to watch it: ${message}`, trace: checked(message, 10), silent: true };
  }),
  {
    name: 'exact_repetition: a period that is no request to watch something',
    trace: checked('Book a massage of 60 minutes in the spa named web.', 8),
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'exact_repetition: a length of a meeting',
    trace: checked('Meet web for at least 105 minutes, and do not miss the ferry.', 8),
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'exact_repetition: more checks than anybody expects',
    trace: checked('Check web every minute.', 40),
    fires: [{ subtype: 'exact_repetition' }],
  },
  {
    name: 'exact_repetition: checks on request without an answer',
    trace: checked('Check web every minute.', 10).replace(/\nllm m -> "[^"]*"$/, ''),
    fires: [{ subtype: 'exact_repetition' }],
  },
  {
    name: 'silent: the program waits about as long before each call',
    trace: paused((round) => 30_000 + 500 * round),
    silent: true,
  },
  {
    name: 'exact_repetition: pauses of different lengths',
    trace: paused((round) => 6_000 * (round + 1)),
    fires: [{ subtype: 'exact_repetition' }],
  },
  {
    name: 'exact_repetition: pauses as short as between any two steps',
    trace: paused(() => 1_000),
    fires: [{ subtype: 'exact_repetition' }],
  },
  ...[
    'You watch deployments. Poll once a minute for 10 minutes, then report.',
    'You watch deployments. Check each 2 minutes, at most 10 times.',
    'Prüfe jede Minute den Zustand.',
    'Vérifie le service toutes les deux minutes.',
  ].map((instructions): DetectorRow => {
    return {
      name: `silent: the instructions ask for checks at an interval: ${instructions}`,
      trace: instructed(instructions),
      silent: true,
    };
  }),
  ...[
    'Check the booking first. A seat can be held for 24 hours, each fare has its own limit.',
    'Wait until web is ready. Try a few times.',
    'You answer within 5 minutes.',
  ].map((instructions): DetectorRow => {
    return {
      name: `exact_repetition: instructions without an interval for checks: ${instructions}`,
      trace: instructed(instructions),
      fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
    };
  }),
  {
    name: 'exact_repetition: checks that each take a minute themselves',
    trace: slow((round) => 60_000 + 300 * round),
    fires: [{ subtype: 'exact_repetition', severity: 'info', fix: 'Wait longer between the calls of get_deployment' }],
  },
  {
    name: 'exact_repetition: slow checks of different lengths',
    trace: slow((round) => 30_000 + 10_000 * round),
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'exact_repetition: slow checks without an answer',
    trace: slow(() => 60_000, checked('Is web stable?', 10).replace(/\nllm m -> "[^"]*"$/, '')),
    fires: [{ subtype: 'exact_repetition', severity: 'critical' }],
  },
  ...[
    'Make sure that web is stable for four checks.',
    'Prüfe viermal, ob web stabil ist.',
    'Vérifie quatre fois que web est stable.',
    'webが安定しているか4回確認してください。',
  ].map((message): DetectorRow => {
    return { name: `silent: four checks on request: ${message}`, trace: checked(message, 4), silent: true };
  }),
  {
    name: 'exact_repetition: the user asked for something else',
    trace: checked('Scale web to 4 replicas.', 4),
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'exact_repetition: many more checks than requested',
    trace: checked('Make sure that web is stable for four checks.', 8),
    fires: [{ subtype: 'exact_repetition' }],
  },
  {
    name: 'silent: two calls alternate as often as requested',
    trace: `agent operator
user "Read the level and the wind three times each."
repeat 3
  tool read_level {"gauge":"north"} -> "The level at the north gauge is 2.10 metres, and it has not moved since this morning."
  tool read_wind {"mast":"north"} -> "The wind at the north mast is 3 knots from the west, and it has not moved, either."
llm m -> "Both are steady."`,
    silent: true,
  },
  {
    name: 'silent: a call that waits between equal calls, without recorded times',
    trace: untimed(polled('sleep {"seconds":60}', '"slept 60 s"')),
    silent: true,
  },
  {
    name: 'silent: a waiting call in another language, without recorded times',
    trace: untimed(polled('warten {"minuten":1}', '"fertig"')),
    silent: true,
  },
  {
    name: 'silent: a waiting call with a remark, without recorded times',
    trace: untimed(polled('sleep {"seconds":60,"reason":"let the store settle"}', '"ok"')),
    silent: true,
  },
  {
    name: 'silent: the user expects the failures of a check',
    trace: `agent sec
user "Please confirm that the ports 23, 25 and 3306 of gate-2 are blocked from outside."
${[23, 25, 3306].map((port) => `llm m calls connect {"host":"gate-2","port":${port}}\ntool connect {"host":"gate-2","port":${port}} !! TimeoutError: no connection within 5 s`).join('\n')}
llm m -> "Confirmed: 23, 25 and 3306 time out from outside."`,
    silent: true,
  },
  {
    name: 'cyclic: a call with a time that reads something, without recorded times',
    trace: untimed(polled('get_mean {"minutes":60}', '"-18.5"')),
    fires: [{ subtype: 'cyclic', severity: 'warning' }],
  },
  {
    name: 'cyclic: the recorded times show that the call did not wait',
    trace: polled('sleep {"seconds":60}', '"slept 60 s"'),
    fires: [{ subtype: 'cyclic', severity: 'warning' }],
  },
];

testDetector(loop, rows);
