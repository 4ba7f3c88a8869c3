import { describe, expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { contraryResult } from './contrary-result.ts';
import { grounding } from './detector.ts';
import { measuresIn } from './measures.ts';

const run = (result: unknown, answer: string, task = 'How dry is the Mill Field?') =>
  `task ${JSON.stringify(task)}\nagent farmer\ntool look_up {"name":"Mill Field"} -> ${JSON.stringify(result)}\nllm m -> ${JSON.stringify(answer)}`;
const contradicts = (text: string) => [{ subtype: 'contradicts_result', severity: 'warning' as const, text }];

const rows: DetectorRow[] = [
  {
    name: 'contradicts_result: another number for the same thing',
    trace: run('Mill Field: 19.5 % (12 samples)', 'Start today: Mill Field is down to 12.5 % moisture.'),
    fires: [
      {
        subtype: 'contradicts_result',
        step: 1,
        agent: 'farmer',
        severity: 'warning',
        text: 'The answer of farmer at step 1 gives "12.5 %" for Mill Field. The result of look_up at step 0 gives "19.5 %", and no text of the run contains the value of the answer.',
        suggestion: 'Correct "12.5 %" in the answer',
        fix: 'Have farmer copy values from results',
        shows: ['12.5 %', '19.5 %'],
      },
    ],
  },
  {
    name: 'contradicts_result: the field of a record is the unit',
    trace: run({ name: 'Krähenstieg', km: 11.4, up: 640 }, 'The Krähenstieg is 4.8 kilometres long.'),
    fires: contradicts('gives "4.8 kilometres" for Krähenstieg. The result of look_up at step 0 gives "km: 11.4"'),
  },
  {
    name: 'contradicts_result: the result counts none',
    trace: run('ordered; 0 copies', 'Yes, two copies are on the shelf.'),
    fires: contradicts('gives "two copies". The result of look_up at step 0 gives "0 copies"'),
  },
  {
    name: 'contradicts_result: another code in a record',
    trace: run({ port: 'Rijeka', code: 'HRRJK' }, '{"port":"Rijeka","code":"HRZAG","pieces":22}'),
    fires: contradicts('gives "HRZAG" for Rijeka. The result of look_up at step 0 gives "HRRJK"'),
  },
  {
    name: 'silent: the number of the result',
    trace: run('Mill Field: 19.5 % (12 samples)', 'Mill Field has 19.5 % moisture.'),
    silent: true,
  },
  { name: 'silent: a rounded number', trace: run('Mill Field: 19.5 %', 'Mill Field has about 20 %.'), silent: true },
  {
    name: 'silent: a limit that the model knows',
    trace: run('Mill Field: 19.5 %', 'Mill Field is too wet: it must be below 14 %.'),
    silent: true,
  },
  {
    name: 'silent: a difference',
    trace: run('Mill Field: 19.5 %, the dryer takes 7.25 points', 'Mill Field comes out at 12.25 %.'),
    silent: true,
  },
  {
    name: 'silent: the user gave the number',
    trace: run('Mill Field: 19.5 %', 'Mill Field had 12.5 % yesterday.', 'Mill Field had 12.5 %. And now?'),
    silent: true,
  },
  {
    name: 'silent: several results with the unit',
    trace: run('Mill Field: 19 %; Long Field: 16 %', 'Mill Field has 12 %.'),
    silent: true,
  },
  { name: 'silent: another thing', trace: run('Mill Field: 19 %', 'Rain is expected with 12 %.'), silent: true },
  {
    name: 'silent: fewer than were found',
    trace: run('5 offers', 'I picked two offers for you.'),
    silent: true,
  },
  {
    name: 'silent: a status that the agent decides',
    trace: run({ ticket: 'T-5', priority: 'NORMAL' }, '{"ticket":"T-5","priority":"URGENT"}'),
    silent: true,
  },
  {
    name: 'silent: a code that a result gives',
    trace: run({ port: 'Rijeka', code: 'HRRJK', old: 'HRZAG' }, '{"port":"Rijeka","code":"HRZAG"}'),
    silent: true,
  },
];

testDetector(grounding, rows);

it.each([
  ['Mühlfeld: 19,5 %', 'Das Mühlfeld hat 12,5 Prozent Feuchte.'],
  ['Campo del Molino: 19,5 %', 'El Campo del Molino tiene 12,5 %.'],
  ['Мельничное поле: 19,5 %', 'Влажность: Мельничное поле 12,5 процента.'],
  ['水車畑: 19.5 %', '水車畑の水分は12.5パーセントです。'],
  ['{"name":"Senda Azul","km":11.4}', 'La Senda Azul tiene 4,8 km.'],
])('compares the numbers of other languages: %s', (result, answer) => {
  const trace = parseTrace(run(result, answer, '…'));
  expect(contraryResult(trace, answer, 1)).not.toBeNull();
});

describe('measures', () => {
  it.each([
    ['1,120 metres over 4.8 kilometres', ['1120 metre', '4.8 km']],
    ['1.980 kg und 12 %', ['1980 kg', '12 %']],
    ['zwei Bände, 3 Karten', ['3 karten', '2 bände']],
    ['距離は4.8キロメートル', ['4.8 km']],
    ['4–8 km, v2.5 beta, 10:30 Uhr', []],
    ['{"km":11.4,"name":"A1"}', ['11.4 km']],
  ])('reads %s', (text, expected) => {
    expect(measuresIn(text).map(({ value, unit }) => `${value} ${unit}`)).toEqual(expected);
  });
});
