import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { reasoningActionMismatch } from './detector.ts';

const HOTELS =
  '[{"id":"H-1","name":"Gravensteen","eur":142},{"id":"H-2","name":"Leie","eur":88},{"id":"H-3","name":"Patershol","eur":119}]';
const BOOK = 'tool book_hotel {"hotel":"H-3"} -> {"booking":"B-7"}';

const booked = (request: string, answer: string, { list = HOTELS, calls = BOOK } = {}) =>
  `user ${JSON.stringify(request)}\nagent booker\ntool search_hotels {"city":"Ghent"} -> ${list}\n${calls}\nllm m -> ${JSON.stringify(answer)}`;

const pairs: readonly [string, string][] = [
  ['Book the cheapest hotel in Ghent.', 'I booked the cheapest hotel, Patershol, for 119 EUR.'],
  ['Buche das günstigste Hotel in Gent.', 'Das günstigste Hotel, Patershol, ist gebucht.'],
  ['Reserva el hotel más barato de Gante.', 'Reservé el más barato, Patershol.'],
  ['Réserve l’hôtel le moins cher de Gand.', 'J’ai réservé le moins cher, Patershol.'],
  ['Reserve o hotel mais barato de Gante.', 'Reservei o mais barato, Patershol.'],
  ['Zarezerwuj najtańszy hotel w Gandawie.', 'Najtańszy hotel, Patershol, jest zarezerwowany.'],
  ['Забронируй самый дешёвый отель в Генте.', 'Самый дешёвый отель, Patershol, забронирован.'],
  ['请预订根特最便宜的酒店。', '已为您预订最便宜的酒店 Patershol。'],
  ['ゲントで最安のホテルを予約してください。', '最安のホテル、Patershol を予約しました。'],
];
const [request, answer] = pairs[0]!;

const rows: DetectorRow[] = [
  ...pairs.map(([asked, said]) => ({
    name: `other_than_extreme: ${asked}`,
    trace: booked(asked, said),
    fires: [
      {
        subtype: 'other_than_extreme',
        step: 2,
        agent: 'booker',
        severity: 'warning' as const,
        text: 'At step 2 book_hotel took "H-3", whose eur is 119. In the result of step 1 "H-2" has 88',
      },
    ],
  })),
  {
    name: 'other_than_extreme: the earliest train, by its name',
    trace: `user "Reserve a seat on the earliest train to Bruges."\nagent booker\ntool list_trains {} -> {"trains":[{"no":"IC 12","departure":"09:10"},{"no":"IC 10","departure":"07:40"}]}\ntool reserve_seat {"train":"IC 12"} -> "ok"\nllm m -> "Your seat is on the earliest train, IC 12."`,
    fires: [{ subtype: 'other_than_extreme', text: 'the earliest item' }],
  },
  {
    name: 'other_than_extreme: the most expensive one',
    trace: booked('Book the most expensive hotel in Ghent.', 'The most expensive hotel, Patershol, is booked.'),
    fires: [{ subtype: 'other_than_extreme', text: '"H-1" has 142' }],
  },
  ...[
    ['Buche das günstigste Hotel nach Gent', 'Das günstigste Hotel, Patershol, ist gebucht.'],
    ['Zarezerwuj najtańszy lot z Berlina.', 'Najtańszy lot, Patershol, jest zarezerwowany.'],
    ['Забронируй самый дешёвый рейс до Рима.', 'Самый дешёвый рейс, Patershol, забронирован.'],
  ].map(
    ([asked, said]): DetectorRow => ({
      name: `other_than_extreme: a place is no condition: ${asked}`,
      trace: booked(asked!, said!),
      fires: [{ subtype: 'other_than_extreme', severity: 'warning' }],
    }),
  ),
  ...[
    ['Buche das günstigste Hotel nach 10 Uhr.', 'Das günstigste, Patershol, ist gebucht.'],
    ['Buche das günstigste Hotel nach Mitternacht.', 'Das günstigste, Patershol, ist gebucht.'],
    ['Zarezerwuj najtańszy hotel z balkonem.', 'Najtańszy hotel, Patershol, jest zarezerwowany.'],
    ['Забронируй самый дешёвый отель с балконом.', 'Самый дешёвый отель, Patershol, забронирован.'],
    ['Забронируй самый дешёвый отель до обеда.', 'Самый дешёвый отель, Patershol, забронирован.'],
  ].map(
    ([asked, said]): DetectorRow => ({
      name: `silent: a condition: ${asked}`,
      trace: booked(asked!, said!),
      silent: true,
    }),
  ),
  ...['!! SoldOut: H-2 is sold out', '-> {"error":"H-2 is sold out"}'].map(
    (failure): DetectorRow => ({
      name: `silent: the cheapest one was tried first: ${failure}`,
      trace: booked(request, 'Leie was sold out, so I booked the cheapest hotel that is left, Patershol.', {
        calls: `tool book_hotel {"hotel":"H-2"} ${failure}\n${BOOK}`,
      }),
      silent: true,
    }),
  ),
  ...['get_room', 'find', 'q2', '予約'].map(
    (tool): DetectorRow => ({
      name: `other_than_extreme: whatever the tool is named: ${tool}`,
      trace: booked(request, answer, { calls: `tool ${tool} {"hotel":"H-3"} -> {"ok":true}` }),
      fires: [{ subtype: 'other_than_extreme', step: 2, severity: 'warning' }],
    }),
  ),
  {
    name: 'silent: a look-up of another item, and the answer names the cheapest one',
    trace: booked('What is the cheapest hotel in Ghent?', 'The cheapest one is Leie. Patershol has a garden.', {
      calls: 'tool get_hotel {"hotel":"H-3"} -> {"garden":true}',
    }),
    silent: true,
  },
  {
    name: 'silent: a look-up of another item, which the answer does not name',
    trace: booked('What is the cheapest hotel in Ghent?', 'The cheapest one costs 88.', {
      calls: 'tool get_hotel {"hotel":"H-3"} -> {"garden":true}',
    }),
    silent: true,
  },
  {
    name: 'silent: the cheapest one was taken',
    trace: booked(request, 'I booked the cheapest hotel, Leie.', { calls: 'tool book_hotel {"hotel":"H-2"} -> "ok"' }),
    silent: true,
  },
  { name: 'silent: a condition', trace: booked('Book the cheapest hotel with breakfast.', answer), silent: true },
  {
    name: 'silent: a condition in German',
    trace: booked('Buche das günstigste Hotel, aber zentral.', pairs[1]![1]),
    silent: true,
  },
  {
    name: 'silent: a condition in Russian',
    trace: booked('Забронируй самый дешёвый отель рядом с вокзалом.', pairs[6]![1]),
    silent: true,
  },
  { name: 'silent: the answer says no superlative', trace: booked(request, 'I booked Patershol.'), silent: true },
  {
    name: 'silent: a flag explains it',
    trace: booked(request, answer, {
      list: '[{"id":"H-1","eur":142,"free":true},{"id":"H-2","eur":88,"free":false},{"id":"H-3","eur":119,"free":true}]',
    }),
    silent: true,
  },
  {
    name: 'silent: a category explains it',
    trace: booked(pairs[2]![0], pairs[2]![1], {
      list: '[{"id":"H-1","eur":142,"kind":"hotel"},{"id":"H-2","eur":88,"kind":"hostel"},{"id":"H-3","eur":119,"kind":"hotel"}]',
    }),
    silent: true,
  },
  {
    name: 'silent: no rooms are left',
    trace: booked(request, answer, { list: '[{"id":"H-2","eur":88,"rooms":0},{"id":"H-3","eur":119,"rooms":4}]' }),
    silent: true,
  },
  {
    name: 'silent: two prices',
    trace: booked(request, answer, {
      list: '[{"id":"H-2","price":88,"total":130},{"id":"H-3","price":119,"total":119}]',
    }),
    silent: true,
  },
  {
    name: 'silent: the cheapest one was looked at',
    trace: booked(request, answer, { calls: `tool get_hotel {"hotel":"H-2"} -> "closed"\n${BOOK}` }),
    silent: true,
  },
  {
    name: 'silent: a second list',
    trace: booked(request, answer, { calls: `tool search_hotels {"city":"Bruges"} -> ${HOTELS}\n${BOOK}` }),
    silent: true,
  },
];

testDetector(reasoningActionMismatch, rows);
