import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { reasoningActionMismatch } from './detector.ts';
import { rejectedEffectDetections } from './rejected-effects.ts';

const run = (answer: string, task = 'Please look at Weir 2.', after = '') =>
  `user ${JSON.stringify(task)}\nagent keeper\ntool treat {"hive":"Weir 2","ml":40} refused user "too late in the year" !! not approved\n${after}llm m -> ${JSON.stringify(answer)}`;
const CLAIM = 'Weir 2 has had its 40 ml of oxalic acid.';

const rows: DetectorRow[] = [
  {
    name: 'rejected_call_claimed: the answer gives the dose of the call that a person rejected',
    trace: run(CLAIM),
    fires: [
      {
        subtype: 'rejected_call_claimed',
        step: 2,
        agent: 'keeper',
        severity: 'warning',
        text: 'A person rejected treat({"hive":"Weir 2","ml":40}) at step 1, and treat was not executed later. The last answer of keeper at step 2 gives its value "40" and does not say that the call was rejected',
        suggestion: 'treat did not run, because a person rejected it at step 1',
        fix: 'Report a rejected call as not done',
        shows: ['40 ml', 'too late in the year'],
      },
    ],
  },
  { name: 'silent: the answer says so', trace: run('You turned down the 40 ml of acid for Weir 2.'), silent: true },
  { name: 'silent: the answer offers it', trace: run('The 40 ml for Weir 2 can be given in May.'), silent: true },
  { name: 'silent: the answer gives no value of the call', trace: run('Weir 2 was left alone.'), silent: true },
  { name: 'silent: the user gave the value', trace: run(CLAIM, 'Weir 2 had 40 ml in May. And now?'), silent: true },
  {
    name: 'silent: a later call was approved',
    trace: run(CLAIM, 'Please look at Weir 2.', 'tool treat {"hive":"Weir 2","ml":40} -> "dosed"\n'),
    silent: true,
  },
];

testDetector(reasoningActionMismatch, rows);

it.each([
  [CLAIM, true],
  ['Das Volk Wehr 2 hat heute die 40 ml Oxalsäure von oben und mit dem Träufler bekommen.', true],
  ['La colmena Weir 2 ha recibido los 40 ml de ácido oxálico y está como nueva esta tarde.', true],
  ['La ruche Weir 2 a été traitée avec les 40 ml et le couvain est sain dans les cadres du haut.', true],
  ['ウィア2号には酢酸を40 ml投与しました。次の確認は三週間後です。', true],
  ['Das Volk Wehr 2 hat die 40 ml Oxalsäure nicht bekommen, denn das wurde von dir abgelehnt.', false],
  ['La colmena Weir 2 no ha recibido los 40 ml de ácido oxálico y está como antes.', false],
  ['La ruche Weir 2 n’a pas été traitée avec les 40 ml, et le couvain est sain dans les cadres.', false],
  ['ウィア2号への40 mlの投与は却下されたため、行っていません。', false],
  ['Weir 2 dostał 40 ml kwasu szczawiowego.', false],
])('reads %s', (answer, isClaim) => {
  expect(rejectedEffectDetections(parseTrace(run(answer)))).toHaveLength(isClaim ? 1 : 0);
});
