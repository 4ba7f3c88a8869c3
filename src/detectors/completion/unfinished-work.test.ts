import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';
import { unfinishedWork } from './unfinished-work.ts';

const says = (text: string) => `llm m -> ${JSON.stringify(text)}`;
const CHECK = 'tool pump_status {"pump":"P-2"} ->';
const pumping = (results: readonly string[], answer: string) =>
  [
    'user "Fill the tank to 80 m3 with pump P-2."',
    'agent warden',
    'tool start_pump {"pump":"P-2","target_m3":80} -> "P-2 on"',
    ...results.map((result) => `${CHECK} ${result}`),
    says(answer),
  ].join('\n');

const rows: DetectorRow[] = [
  {
    name: 'unfinished_claimed: a percentage below 100 in the last check',
    trace: pumping(['{"percent":20}', '{"percent":45}'], 'The tank is filled; the work is finished.'),
    fires: [
      {
        subtype: 'unfinished_claimed',
        step: 4,
        agent: 'warden',
        severity: 'warning',
        text: 'The last result of pump_status at step 3 states "percent:45", so the work was not complete, and no later result shows its end. warden reports the end at step 4: "The tank is filled; the work is finished."',
        fix: 'Let the run wait until pump_status shows the end',
      },
    ],
  },
  {
    name: 'unfinished_claimed: the measured quantity is below the target that the answer states',
    trace: pumping(['"pumping, 21 m3"', '"pumping, 44 m3"'], 'The tank has reached 80 m3.'),
    fires: [{ subtype: 'unfinished_claimed', text: 'states "44 m3"' }],
  },
  {
    name: 'unfinished_claimed: a part of a count in the only result',
    trace: `user "Scan the maps."\nagent clerk\ntool scan {"box":4} -> "paper jam, 7 of 30 maps scanned"\n${says('Box 4 is done: all 30 maps are scanned.')}`,
    fires: [{ subtype: 'unfinished_claimed', text: 'states "7 of 30 maps"' }],
  },
  {
    name: 'unfinished_claimed: the last round of a node is at 60 percent',
    trace: `task "Fetch tile 9."\nnode watch -> "{\\"tile\\":9,\\"percent\\":30}"\nnode watch -> "{\\"tile\\":9,\\"percent\\":60}"\nagent writer\n${says('Tile 9 is complete and shows a calm sea.')}`,
    fires: [{ subtype: 'unfinished_claimed', text: 'The last result of watch at step 1 states "percent:60"' }],
  },
  {
    name: 'unfinished_claimed: the state of the last check is in progress',
    trace: pumping(['{"state":"in_progress"}', '{"state":"in_progress"}'], 'The tank is full and the pump is done.'),
    fires: [{ subtype: 'unfinished_claimed', text: 'states "state:in_progress"' }],
  },
];

testDetector(completion, rows);

const fires = (trace: string) => unfinishedWork(parseTrace(trace)) !== null;

it.each<[string, string[], string]>([
  ['the last check is at 100', ['{"percent":20}', '{"percent":100}'], 'The work is finished.'],
  ['the answer states the last status', ['{"percent":20}', '{"percent":45}'], 'The pump is ready and is at 45 %.'],
  ['the answer says that it goes on', ['{"percent":20}', '{"percent":45}'], 'The start is done. The tank is not full.'],
  ['the answer announces the end', ['{"percent":20}', '{"percent":45}'], 'It will be finished at noon.'],
  [
    'the percentage is a measured quantity',
    ['"humidity 20 %"', '"humidity 45 %"'],
    'The check of the tank is finished.',
  ],
  ['the percentage falls', ['{"percent":45}', '{"percent":20}'], 'The tank is emptied; the work is finished.'],
  ['a started service runs', ['{"status":"running"}', '{"status":"running"}'], 'The restart is complete.'],
  ['one check only', ['{"percent":20}'], 'The start is finished.'],
  ['the target was reached', ['"pumping, 44 m3"', '"full, 80 m3"'], 'The tank has reached 80 m3.'],
  ['the answer states no target', ['"pumping, 21 m3"', '"pumping, 44 m3"'], 'The start of the pump is done.'],
])('is silent: %s', (_, results, answer) => expect(fires(pumping(results, answer))).toBe(false));

it('is silent if a later call follows the check', () => {
  const later = pumping(['{"percent":20}', '{"percent":45}'], 'I look at the tank.');
  expect(fires(`${later}\ntool read_tank {"tank":2} -> "full"\n${says('The work is finished.')}`)).toBe(false);
});

it('is silent for a list that shows a part of all entries', () => {
  const list = 'tool find {"q":"mill"} -> "Results 1-7 of 30 mills"';
  expect(
    fires(`user "Find mills."\nagent clerk\n${list}\n${says('The list is ready: all 30 mills are in the north.')}`),
  ).toBe(false);
});

it.each([
  'Die Füllung ist abgeschlossen.',
  'Le remplissage est terminé.',
  'El llenado está completado.',
  'Il riempimento è completato.',
  'Наполнение завершено.',
  '注水已完成。',
  '注水が完了。',
  '급수가 완료되었습니다.',
])('reads the report of the end: %s', (answer) => {
  expect(fires(pumping(['{"progress":20}', '{"progress":45}'], answer))).toBe(true);
});

it.each([
  'Die Füllung ist noch nicht abgeschlossen.',
  'Le remplissage sera terminé à midi.',
  'El llenado no está completado.',
  'Наполнение ещё не завершено.',
  '注水未完成。',
  '注水はまだ完了していません。',
  '급수가 아직 완료되지 않았습니다.',
])('reads that the end is denied or expected: %s', (answer) => {
  expect(fires(pumping(['{"progress":20}', '{"progress":45}'], answer))).toBe(false);
});

it.each([
  'alle 30 Karten sind fertig',
  'toutes les 30 cartes sont prêtes : terminé',
  'todas las 30 mapas: completado',
  'все 30 карт готовы',
  '全部30张已完成',
])('reads that all items are done: %s', (answer) =>
  expect(fires(`user "Scan."\nagent clerk\ntool scan {"box":4} -> "7/30"\n${says(answer)}`)).toBe(true),
);
