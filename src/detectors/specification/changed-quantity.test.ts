import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { specification } from './detector.ts';

const TASK =
  'Plan a tour with 4 nights in Oslo and after it 6 nights in Bergen. The hotel in Narvik is booked for 2 nights.';
const tour = (answer: string, between = '') =>
  `task ${JSON.stringify(TASK)}\nuser ${JSON.stringify(TASK)}\n${between}agent planner\nllm m -> ${JSON.stringify(answer)}`;

const TRIP = 'Plan a trip with 2 days in Oslo and after it 5 days in Bergen.';
const trip = (answer: string) =>
  `task ${JSON.stringify(TRIP)}\nuser ${JSON.stringify(TRIP)}\nagent planner\nllm m -> ${JSON.stringify(answer)}`;

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
  {
    name: 'changed_quantity: a schedule gives fewer days to one place than requested',
    trace: trip('| Day 1 | Oslo |\n| Day 2 | Oslo |\n| Day 3 | to Bergen |\n| Day 4-5 | Bergen |'),
    fires: [
      {
        subtype: 'changed_quantity',
        step: 1,
        agent: 'planner',
        severity: 'warning',
        text: '"5 days in Bergen", and the answer of planner at step 1 names Bergen in no more than 3 of its numbered days (day 3, 4 and 5). It keeps another quantity of the task ("2 days in Oslo").',
      },
    ],
  },
  {
    name: 'changed_quantity: a schedule in another language, with identifiers',
    trace: [
      'task "Reserve for us 2 noches in Sevilla and after that 4 noches in Granada."',
      'agent guía',
      'llm m -> "1. dormir_sevilla: noche 1 a 2\\n2. dormir_granada: noche 3\\n3. dormir_granada: noche 4"',
    ].join('\n'),
    fires: [{ subtype: 'changed_quantity', step: 0 }],
  },
  {
    name: 'silent: the day of the journey counts for both places',
    trace: trip('Day 1: Oslo\nDay 2: Oslo, then the train to Bergen\nDays 3 to 6: Bergen'),
    silent: true,
  },
  {
    name: 'silent: some days of the schedule name no place',
    trace: trip('Day 1: Oslo\nDay 2: Oslo\nDay 3: Bergen\nDay 4: a cruise on the fjord\nDay 5: Bergen'),
    silent: true,
  },
  {
    name: 'silent: the days are counted for each place',
    trace: trip('Oslo day 1: the opera\nOslo day 2: the park\nBergen day 1 to 5: the fjords'),
    silent: true,
  },
  {
    name: 'silent: the answer states the requested quantity next to the schedule',
    trace: trip('Oslo 2 days, Bergen 5 days.\nDay 1: Oslo\nDay 2: Oslo\nDay 3: Bergen'),
    silent: true,
  },
  {
    name: 'silent: the schedule has no place with the requested quantity',
    trace: trip('Day 1: Oslo\nDay 2: Bergen\nDay 3: Bergen'),
    silent: true,
  },
  ...[
    [
      'German',
      'Plane meine Reise: 4 Tage in Oslo, 3 Tage in Bergen und 2 Tage in Trondheim.',
      'Du verbringst 3 Tage in Oslo, 3 Tage in Bergen und 2 Tage in Trondheim.',
    ],
    [
      'Japanese',
      '旅行を計画してください：オスロに4日、ベルゲンに3日、トロンハイムに2日。',
      'オスロに3日、ベルゲンに3日、トロンハイムに2日です。',
    ],
    ['Chinese', '请安排旅行：在奥斯陆住4天，在卑尔根住3天。', '行程如下：奥斯陆3天，卑尔根3天。'],
    [
      'Korean',
      '여행을 계획해 주세요: 오슬로에서 4일, 베르겐에서 3일.',
      '오슬로에 3일, 베르겐에 3일을 머무는 일정입니다.',
    ],
    ['Arabic', 'خطط رحلتي: 4 أيام في أوسلو و3 أيام في بيرغن.', 'تقضي 3 أيام في أوسلو و3 أيام في بيرغن.'],
    [
      'Russian',
      'Спланируй поездку: 4 дня в Осло, 3 дня в Бергене и 2 дня в Тронхейме.',
      'Вы проводите 3 дня в Осло, 3 дня в Бергене и 2 дня в Тронхейме.',
    ],
    ['Polish', 'Zaplanuj podróż: 4 dni w Oslo, 3 dni w Bergen.', 'Spędzasz 3 dni w Oslo, 3 dni w Bergen.'],
    ['Turkish', 'Gezimi planla: 4 gün Oslo, 3 gün Bergen.', 'Gezi: 3 gün Oslo, 3 gün Bergen.'],
  ].map(
    ([language, task, answer]): DetectorRow => ({
      name: `changed_quantity: in ${language}`,
      trace: `task ${JSON.stringify(task)}\nagent guide\nllm m -> ${JSON.stringify(answer)}`,
      fires: [{ subtype: 'changed_quantity', step: 0 }],
    }),
  ),
  ...[
    [
      'German, in another order',
      'Plane meine Reise: 4 Tage in Oslo, 3 Tage in Bergen und 2 Tage in Trondheim.',
      'Deine Reise: 2 Tage in Trondheim, 3 Tage in Bergen und 4 Tage in Oslo.',
    ],
    [
      'Japanese, with dates',
      'オスロに4日、ベルゲンに3日の旅行を計画してください。',
      'オスロに5月1日から4日、ベルゲンに5月5日から3日です。',
    ],
    ['Chinese, in another order', '请安排旅行：在奥斯陆住4天，在卑尔根住3天。', '先在卑尔根住3天，然后在奥斯陆住4天。'],
    ['Korean, with the days of a schedule', '오슬로에서 4일, 베르겐에서 3일.', '오슬로 1일차: 박물관. 베르겐에 3일.'],
  ].map(
    ([language, task, answer]): DetectorRow => ({
      name: `silent: in ${language}`,
      trace: `task ${JSON.stringify(task)}\nagent guide\nllm m -> ${JSON.stringify(answer)}`,
      silent: true,
    }),
  ),
];

testDetector(specification, rows);
