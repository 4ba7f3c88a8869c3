import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { grounding } from './detector.ts';
import { valuesWithoutResult } from './value-without-result.ts';

const says = (text: string) => `llm m -> ${JSON.stringify(text)}`;
const failing = (answer: string, call = 'tool read_gauge {"gauge":"P-7"} !! the gauge does not answer') =>
  `user "How high is the water at P-7?"\nagent warden\n${call}\n${says(answer)}`;

const rows: DetectorRow[] = [
  {
    name: 'value_without_result: the only call failed, and the answer states a level',
    trace: failing('The water at P-7 is at 3.4 m.'),
    fires: [
      {
        subtype: 'value_without_result',
        step: 2,
        agent: 'warden',
        severity: 'warning',
        text: 'The only call, read_gauge at step 1, failed ("the gauge does not answer"). The answer of warden at step 2 does not mention the failure and states "3.4", which no recorded prompt, message or result contains.',
        fix: 'Check answers for values if every call failed',
      },
    ],
  },
  {
    name: 'value_without_result: two tools failed, one with an error in its result',
    trace: failing(
      'It is at 14:25 that the water stood highest.',
      'tool read_gauge {"gauge":"P-7"} !! the gauge does not answer\ntool read_history {"gauge":"P-7"} -> {"error":"no history"}',
    ),
    fires: [
      { subtype: 'value_without_result', step: 3, text: 'All 2 calls, the last one read_history at step 2, failed' },
    ],
  },
  {
    name: 'silent: the answer mentions the failure',
    trace: failing('The gauge failed. On most days it shows 3.4 m.'),
    silent: true,
  },
  {
    name: 'silent: the answer contains a negation',
    trace: failing('I do not have it; 3.4 m is the limit.'),
    silent: true,
  },
  { name: 'silent: the answer asks the user', trace: failing('Shall I take the 3.4 m of the plan?'), silent: true },
  { name: 'silent: the number is a year', trace: failing('The gauge was put there in 1994.'), silent: true },
  {
    name: 'silent: the user gave the value',
    trace: `user "Is the water at P-7 above 3.4 m?"\nagent warden\ntool read_gauge {"gauge":"P-7"} !! no reply\n${says('The water is above 3.4 m.')}`,
    silent: true,
  },
  {
    name: 'silent: the value follows from given numbers',
    trace: `user "Add 12.5 and 7.25."\nagent clerk\ntool add {"a":12.5,"b":7.25} !! timed out\n${says('Together they are 19.75.')}`,
    silent: true,
  },
  {
    name: 'silent: the value is in the arguments, written in another way',
    trace: `user "Pay the invoice."\nagent clerk\ntool pay {"eur":1254.9,"at":"9:20 pm"} !! no reply\n${says('I pay 1,254.90 EUR; booking is at 21:20.')}`,
    silent: true,
  },
  {
    name: 'silent: a later call worked',
    trace: failing(
      'The water is at 3.4 m.',
      'tool read_gauge {"gauge":"P-7"} !! no reply\ntool read_gauge {"gauge":"P-7"} -> "340 cm"',
    ),
    silent: true,
  },
];

testDetector(grounding, rows);

it.each([
  'Der Pegel P-7 steht bei 3,4 m.',
  'Le niveau à P-7 est de 3,4 m.',
  'El nivel en P-7 es de 3,4 m.',
  'Уровень воды у P-7 составляет 3,4 м.',
  'P-7的水位是3.4米。',
  'P-7の水位は3.4メートルです。',
])('reads a value: %s', (answer) => {
  expect(valuesWithoutResult(parseTrace(failing(answer)))?.values).toHaveLength(1);
});

it.each([
  'Der Pegel antwortet nicht; üblich sind 3,4 m.',
  'Le capteur est en panne, sans réponse. Le seuil est de 3,4 m.',
  'No tengo el nivel; el límite es de 3,4 m.',
  'Датчик не отвечает, обычно 3,4 м.',
  '传感器没有响应，通常为3.4米。',
  'センサーが応答しません。通常は3.4メートルです。',
  'Czujnik nie odpowiada, zwykle 3,4 m.',
  'المستشعر لا يستجيب، عادة 3.4',
])('reads the admission of a failure: %s', (answer) => {
  expect(valuesWithoutResult(parseTrace(failing(answer)))).toBeNull();
});
