import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { toolFailure } from './detector.ts';
import { failedResultUsed } from './failed-result-used.ts';

const says = (text: string) => `llm m -> ${JSON.stringify(text)}`;
const EXPIRED = '{"url":"https://files.test/plan-9","error":"gone: expired yesterday"}';
const sharing = (answer: string, result = EXPIRED) =>
  `user "Share plan 9."\nagent clerk\ntool share_link {"plan":9} -> ${result}\n${says(answer)}`;

const rows: DetectorRow[] = [
  {
    name: 'failed_result_used: the link of a result that reports an error',
    trace: sharing('Here it is: https://files.test/plan-9.'),
    fires: [
      {
        subtype: 'failed_result_used',
        step: 2,
        agent: 'clerk',
        severity: 'warning',
        text: 'share_link returned an error at step 1 ("gone: expired yesterday") together with "https://files.test/plan-9". The answer of clerk at step 2 passes on "https://files.test/plan-9", which no other result contains, and does not mention the error.',
        fix: 'Return errors of share_link without data',
      },
    ],
  },
];

testDetector(toolFailure, rows);

it.each<[string, string, string?]>([
  ['the link is in the error message', 'See https://files.test/help.', '{"error":"see https://files.test/help"}'],
  ['the answer mentions the error', 'The link https://files.test/plan-9 has expired.'],
  ['the answer has a negation', 'https://files.test/plan-9 geht nicht mehr.'],
  [
    'the result reports no error',
    'It is https://files.test/plan-9.',
    '{"url":"https://files.test/plan-9","error":null}',
  ],
])('is silent: %s', (_, answer, result) => {
  expect(failedResultUsed(parseTrace(sharing(answer, result)))).toBeNull();
});

it('is silent if another result contains the value', () => {
  const later = `tool find_plan {"plan":9} -> {"url":"https://files.test/plan-9"}\n${says('It is https://files.test/plan-9.')}`;
  expect(failedResultUsed(parseTrace(`${sharing('I look again.')}\n${later}`))).toBeNull();
});

it.each([
  'Hier ist der Link: https://files.test/plan-9',
  'Voici le lien : https://files.test/plan-9',
  'Aquí está el enlace: https://files.test/plan-9',
  'Вот ссылка: https://files.test/plan-9',
  '链接在这里：https://files.test/plan-9',
])('needs no words of the answer: %s', (answer) => {
  expect(failedResultUsed(parseTrace(sharing(answer)))?.value).toBe('https://files.test/plan-9');
});
