import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { specification } from './detector.ts';

const TASK =
  'Plan a tour with 4 nights in Oslo and after it 6 nights in Bergen. The hotel in Narvik is booked for 2 nights.';
const tour = (answer: string, between = '') =>
  `task ${JSON.stringify(TASK)}\nuser ${JSON.stringify(TASK)}\n${between}agent planner\nllm m -> ${JSON.stringify(answer)}`;

const rows: DetectorRow[] = [
  {
    name: 'changed_quantity: one stay is shorter than requested, another is kept',
    trace: tour('The tour: Narvik 2 nights, Bergen 5 nights, Oslo 4 nights.'),
    fires: [
      {
        subtype: 'changed_quantity',
        step: 1,
        agent: 'planner',
        severity: 'warning',
        text: '"6 nights in Bergen", and the answer of planner at step 1 says "Bergen 5 nights"',
      },
    ],
  },
  {
    name: 'changed_quantity: the answer is in another language, the unit is kept',
    trace: [
      'task "Reserve for us 3 noches in Sevilla and after that 5 noches in Granada."',
      'agent guía',
      'llm m -> "El viaje: Sevilla 3 noches, Granada 4 noches."',
    ].join('\n'),
    fires: [{ subtype: 'changed_quantity', step: 0 }],
  },
  {
    name: 'changed_quantity: an earlier agent set it, and the answer only writes it out',
    trace: tour(
      'The tour: Narvik 2 nights, Bergen 5 nights, Oslo 4 nights.',
      'agent router\nllm m -> "Stays: Oslo 4 nights, Bergen 5 nights."\n',
    ),
    fires: [
      {
        subtype: 'changed_quantity',
        step: 1,
        agent: 'router',
        text: 'router set the other quantity first, at step 1',
        suggestion: 'Have router keep "6 nights in Bergen" in what it writes at step 1',
      },
    ],
  },
  {
    name: 'silent: all quantities are kept',
    trace: tour('The tour: Narvik 2 nights, Bergen 6 nights, Oslo 4 nights.'),
    silent: true,
  },
  {
    name: 'silent: a stay in two parts',
    trace: tour('The tour: Narvik 2 nights, Bergen 2 nights, Oslo 4 nights, Bergen 4 nights again.'),
    silent: true,
  },
  {
    name: 'silent: no quantity of the task is kept, so the answer is about something else',
    trace: tour('The night train needs 1 night for Oslo, and Bergen has 7 nights of rain.'),
    silent: true,
  },
  {
    name: 'silent: the user changed it',
    trace: tour(
      'The tour: Narvik 2 nights, Bergen 5 nights, Oslo 4 nights.',
      'user "One night less in Bergen, please."\n',
    ),
    silent: true,
  },
  {
    name: 'silent: the tool gives this number for the thing',
    trace: tour(
      'The tour: Narvik 2 nights, Bergen 5 nights, Oslo 4 nights.',
      'agent planner\ntool book {"town":"Bergen"} -> "booked: Bergen 5 nights"\n',
    ),
    silent: true,
  },
];

testDetector(specification, rows);
