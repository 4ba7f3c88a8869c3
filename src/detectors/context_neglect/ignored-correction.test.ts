import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { contextNeglect } from './detector.ts';

/** A reservation, the correction of the user, and what follows it. */
const corrected = (old: string, message: string, rest: string, calls = '') =>
  `agent clerk
user "A bike, please."
tool reserve {"bike":"B-3","day":${JSON.stringify(old)}} -> {"reservation":"RB-311"}
llm m -> ${JSON.stringify(`RB-311: ${old}.`)}
user ${JSON.stringify(message)}
${calls}
llm m -> ${JSON.stringify(rest)}`;

const ignored: readonly [old: string, message: string, answer: string][] = [
  ['Saturday', 'Sorry, I meant Sunday, not Saturday.', 'All right, see you on Saturday!'],
  ['Saturday', 'Not on Saturday, on Sunday please.', 'The bike is yours for Saturday.'],
  ['Samstag', 'Ich meinte Sonntag, nicht Samstag.', 'Gut, dann viel Freude am Samstag!'],
  ['Samstag', 'Bitte Sonntag statt Samstag.', 'Das Rad ist für Samstag reserviert.'],
  ['sábado', 'Quería decir domingo, no el sábado.', 'De acuerdo, la bici está lista el sábado.'],
  ['samedi', 'Je voulais dire dimanche, pas samedi.', 'Très bien, à samedi !'],
  ['sábado', 'Eu quis dizer domingo, não sábado.', 'Certo, a bicicleta fica para sábado.'],
  ['sobota', 'Chodziło mi o niedzielę, nie sobotę.', 'Dobrze, rower czeka w sobotę.'],
  ['суббота', 'Я имела в виду воскресенье, а не субботу.', 'Хорошо, велосипед ваш в субботу.'],
  ['星期六', '我说的是星期天，不是星期六。', '好的，星期六见！'],
  ['土曜日', '土曜日ではなく日曜日です。', '土曜日にお待ちしております。'],
  ['18:30', 'I said 19:00, not 18:30.', 'Your table is booked for 18:30.'],
];

const rows: DetectorRow[] = [
  ...ignored.map(([old, message, answer]) => ({
    name: `ignored_correction: ${message}`,
    trace: corrected(old, message, answer),
    fires: [
      {
        subtype: 'ignored_correction',
        step: 4,
        agent: 'clerk',
        severity: 'warning' as const,
        text: 'No call follows the message',
      },
    ],
  })),
  {
    name: 'ignored_correction: the same call again',
    trace: corrected(
      'Saturday',
      'Sunday, not Saturday!',
      'See you on Saturday.',
      'tool reserve {"bike":"B-3","day":"Saturday"} -> "ok"',
    ),
    fires: [{ subtype: 'ignored_correction', text: 'Each call after the message (reserve) passes "Saturday"' }],
  },
  {
    name: 'ignored_correction: a number that was an argument',
    trace: `agent clerk\nuser "A cabin."\ntool book {"cabin":5117} -> "ok"\nllm m -> "Cabin 5117 is booked."\nuser "I said 5119, not 5117."\nllm m -> "Your cabin is 5117."`,
    fires: [{ subtype: 'ignored_correction', text: 'states "5117" and not "5119"' }],
  },
  {
    name: 'silent: the answer has the new value',
    trace: corrected('Saturday', 'Sunday, not Saturday.', 'It is moved from Saturday to Sunday.'),
    silent: true,
  },
  {
    name: 'silent: a call has the new value',
    trace: corrected(
      'Samstag',
      'Sonntag, nicht Samstag.',
      'Der Samstag ist wieder frei.',
      'tool reserve {"day":"Sonntag"} -> "ok"',
    ),
    silent: true,
  },
  {
    name: 'silent: a call without either value, such as a date',
    trace: corrected(
      'samedi',
      'Dimanche, pas samedi.',
      'La réservation de samedi est changée.',
      'tool move {"to":"2026-06-07"} -> "ok"',
    ),
    silent: true,
  },
  {
    name: 'silent: the change is refused',
    trace: corrected('sábado', 'Domingo, no sábado.', 'Lo siento, no es posible: queda el sábado.'),
    silent: true,
  },
  {
    name: 'silent: a complaint names what was done first',
    trace: corrected('Saturday', 'You booked Saturday, not Sunday!', 'Sorry, it is Sunday now.'),
    silent: true,
  },
  {
    name: 'silent: the number is what a program should return',
    trace: `agent dev\nuser "Fix the parser."\nllm m -> "It should return 5400."\nuser "It returns 3600 instead of 5400."\nllm m -> "It returns 5400 now."`,
    silent: true,
  },
  {
    name: 'silent: three values',
    trace: corrected('Saturday', 'Sunday or Monday, not Saturday.', 'See you on Saturday.'),
    silent: true,
  },
  {
    name: 'silent: the answer asks',
    trace: corrected('Saturday', 'Sunday, not Saturday.', 'Shall I cancel Saturday?'),
    silent: true,
  },
  {
    name: 'silent: 19:00 is also 7 in the evening',
    trace: corrected('18:30', 'I said 19:00, not 18:30.', 'Moved from 18:30 to 7 pm.'),
    silent: true,
  },
];

testDetector(contextNeglect, rows);
