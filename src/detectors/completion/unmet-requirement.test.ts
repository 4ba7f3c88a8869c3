import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const ASK =
  'Train a classifier on tickets.csv. Accuracy on the validation set must be at least 0.62. Submit it when it meets the requirement.';
const DONE = 'I submitted the model.';

function run(ask: string, ...results: string[]): string {
  const rounds = results.map(
    (result, at) => `tool train {"model":"m${at}"} -> "trained"\ntool evaluate {"model":"m${at}"} -> ${result}`,
  );
  return `user ${JSON.stringify(ask)}\nagent trainer\n${rounds.join('\n')}\ntool submit_model {"model":"m0"} -> "submitted"\nllm m -> ${JSON.stringify(DONE)}`;
}

const firing: readonly [ask: string, result: string][] = [
  [ASK, '{"accuracy":0.6,"n":1200}'],
  [ASK, '"epoch 3, accuracy: 0.60"'],
  ['Get the accuracy to 0.62 or higher.', '{"accuracy":0.6}'],
  ['Raise the coverage to >= 80 %.', '"coverage = 71%"'],
  ['Raise the coverage to at least 80 %.', '{"coverage":0.71}'],
  ['Make the p95 latency at most 200 ms.', '{"p95_latency_ms":250}'],
  ['Write a summary with at least 500 words.', '{"words":350}'],
  ['Die Genauigkeit muss mindestens 0,62 betragen.', '{"genauigkeit":0.6}'],
  ['La precisión debe ser al menos 0,62.', '{"precisión":0.6}'],
  ["L'exactitude doit être d'au moins 0,62.", '{"exactitude":0.6}'],
  ['A precisão deve ser de pelo menos 0,62.', '{"precisão":0.6}'],
  ['Dokładność ma wynosić co najmniej 0,62.', '{"dokładność":0.6}'],
  ['Точность должна быть не менее 0,62.', '{"точность":0.6}'],
  ['准确率至少 0.62。', '{"准确率":0.6}'],
  ['精度は0.62以上にしてください。', '{"精度":0.6}'],
];

const silent: readonly [name: string, ask: string, ...results: string[]][] = [
  ['the bound is reached', ASK, '{"accuracy":0.57}', '{"accuracy":0.62}'],
  ['an earlier result reaches it', ASK, '{"accuracy":0.63}', '{"accuracy":0.6}'],
  ['another measure', ASK, '{"recall":0.3}'],
  ['another unit', 'Make the latency at most 2 s.', '{"latency_ms":250}'],
  ['values of a list', ASK, '[{"accuracy":0.6}]'],
  ['a percentage and a share', 'Coverage of at least 0.7.', '"coverage: 71%"'],
  ['a condition', 'If the accuracy is at least 0.62, submit the model.', '{"accuracy":0.6}'],
  ['a question', 'Is the accuracy at least 0.62?', '{"accuracy":0.6}'],
  ['a check', 'Check that the accuracy is at least 0.62.', '{"accuracy":0.6}'],
  ['eine Bedingung', 'Wenn die Genauigkeit mindestens 0,62 beträgt, reiche ein.', '{"genauigkeit":0.6}'],
  ['una condición', 'Si la precisión es al menos 0,62, envía el modelo.', '{"precisión":0.6}'],
  ['une condition', "Si l'exactitude est d'au moins 0,62, soumets.", '{"exactitude":0.6}'],
  ['uma condição', 'Se a precisão for pelo menos 0,62, envie.', '{"precisão":0.6}'],
  ['warunek', 'Jeśli dokładność wynosi co najmniej 0,62, wyślij.', '{"dokładność":0.6}'],
  ['условие', 'Если точность не менее 0,62, отправь.', '{"точность":0.6}'],
  ['条件', '如果准确率至少 0.62,就提交。', '{"准确率":0.6}'],
  ['もし', '精度が0.62以上の場合は提出してください。', '{"精度":0.6}'],
  ['no bound', 'The accuracy was 0.62 last year.', '{"accuracy":0.6}'],
];

const rows: DetectorRow[] = [
  ...firing.map(
    ([ask, result]): DetectorRow => ({
      name: `requirement_unmet: ${ask.slice(0, 60)} ${result}`,
      trace: run(ask, '"no model yet"', result),
      fires: [{ subtype: 'requirement_unmet', step: 4, severity: 'warning', agent: 'trainer', fix: 'meets the bound' }],
    }),
  ),
  ...silent.map(
    ([name, ask, ...results]): DetectorRow => ({ name: `silent: ${name}`, trace: run(ask, ...results), silent: true }),
  ),
  {
    name: 'silent: the value is only looked up',
    trace: `user "The accuracy must be at least 0.62."\nagent trainer\ntool get_metrics {} -> {"accuracy":0.6}\nllm m -> "Accuracy is 0.60."`,
    silent: true,
  },
  {
    name: 'silent: the user accepts it',
    trace: run(ASK, '{"accuracy":0.6}').replace('tool submit', 'user "That is fine, submit it."\ntool submit'),
    silent: true,
  },
  {
    name: 'silent: the run ends with a question',
    trace: run(ASK, '{"accuracy":0.6}').replace(DONE, 'Accuracy is 0.60. Is that enough?'),
    silent: true,
  },
];

testDetector(completion, rows);
