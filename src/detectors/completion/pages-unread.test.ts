import { describe, expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';
import { pagesUnread } from './pages-unread.ts';

const says = (text: string) => `llm m -> ${JSON.stringify(text)}`;
const run = (request: string, results: readonly string[], answer: string) =>
  [
    `user ${JSON.stringify(request)}`,
    'agent clerk',
    ...results.map((result, at) => `tool list_fares {"line":"F","from":${at * 3}} -> ${result}`),
    says(answer),
  ].join('\n');

const ROWS = '[{"id":"a1","cents":1210},{"id":"a2","cents":2345},{"id":"a3","cents":1875},{"id":"a4","cents":1560}]';
const SUM = 'What did we take on line F?';
const COUNT = 'How many fares were sold on line F?';
const MOST = 'Which was the highest fare on line F?';

const rows: DetectorRow[] = [
  {
    name: 'pages_unread: the sum of the first page',
    trace: run(SUM, [`{"rows":${ROWS},"next":4}`], 'We took 69.90 euros on line F.'),
    fires: [
      {
        subtype: 'pages_unread',
        step: 2,
        agent: 'clerk',
        severity: 'warning',
        text: 'The result of list_fares at step 1 says that further items exist ("next":4), and no call of the run reads them. The answer of clerk at step 2 states 69.90, the sum of "cents" over the 4 items that were read, and does not say that items are missing.',
        fix: 'Read all pages of list_fares in code',
      },
    ],
  },
  {
    name: 'pages_unread: the mean of two of five pages in text',
    trace: run(
      SUM,
      ['"page 1/5\\n08:10 12.50 eur\\n08:40 17.25 eur"', '"page 2/5\\n09:20 14.75 eur\\n09:50 11.05 eur"'],
      'A fare is 13.8875 euros, or 13.89, on average.',
    ),
    fires: [{ subtype: 'pages_unread', text: '(page 2/5)' }],
  },
  {
    name: 'pages_unread: the number of items of the first page',
    trace: run(COUNT, [`{"rows":${ROWS},"has_more":true}`], 'There were 4 fares on line F.'),
    fires: [{ subtype: 'pages_unread', text: 'states 4, the number of the 4 items that were read' }],
  },
  {
    name: 'pages_unread: the highest value of an unsorted column',
    trace: run(MOST, [`{"rows":${ROWS},"page":1,"total_pages":3}`], 'The highest fare was 2345 cents.'),
    fires: [{ subtype: 'pages_unread', text: 'states 2345, the highest "cents" of the 4 items that were read' }],
  },
];

testDetector(completion, rows);

it('is silent if another tool returned the number', () => {
  const page = `tool list_fares {"line":"F","from":0} -> {"rows":${ROWS},"next":4}`;
  const other = 'tool count_fares {"line":"F"} -> {"count":4}';
  const trace = (calls: string) =>
    `user ${JSON.stringify(COUNT)}\nagent clerk\n${calls}\n${says('There were 4 fares.')}`;
  expect(pagesUnread(parseTrace(trace(page)))).not.toBeNull();
  expect(pagesUnread(parseTrace(trace(`${page}\n${other}`)))).toBeNull();
});

const fires = (request: string, results: readonly string[], answer: string) =>
  pagesUnread(parseTrace(run(request, results, answer))) !== null;

it.each<[string, string, string[], string]>([
  ['all pages were read', SUM, [`{"rows":${ROWS},"next":4}`, '{"rows":[],"next":null}'], 'We took 69.90 euros.'],
  ['the answer names a part', SUM, [`{"rows":${ROWS},"next":4}`], 'The first page comes to 69.90 euros.'],
  ['the answer asks', SUM, [`{"rows":${ROWS},"next":4}`], 'It is 69.90 euros so much; is that enough?'],
  ['no further page exists', SUM, [`{"rows":${ROWS},"has_more":false,"next":4}`], 'We took 69.90 euros.'],
  ['the last page was read', SUM, ['"page 5/5\\n08:10 12.50\\n08:40 17.25\\n09:00 15.00"'], 'It is 44.75 euros.'],
  ['the answer states the number of all items', COUNT, [`{"rows":${ROWS},"total":36}`], '36 fares, 4 of them by day.'],
  ['the list is sorted', MOST, ['{"rows":[{"c":9},{"c":7},{"c":6},{"c":5}],"next":4}'], 'The highest fare was 9.'],
  ['nobody asks for the highest', 'Is there a fare?', [`{"rows":${ROWS},"next":4}`], 'There is one of 2345 cents.'],
  ['the user asked for so many', 'Name 4 fares of all.', [`{"rows":${ROWS},"next":4}`], 'All 4 fares: a1, a2, a3, a4.'],
  [
    'the user asked for so many items',
    'What did the 4 trips cost?',
    [`{"rows":${ROWS},"next":4}`],
    'They cost 69.90 euros.',
  ],
  [
    'the user asked for the last items',
    'What did my last four trips cost?',
    [`{"rows":${ROWS},"next":4}`],
    '69.90 euros.',
  ],
  [
    'the user asked for the last items, in German',
    'Was kosteten die letzten Fahrten?',
    [`{"rows":${ROWS},"next":4}`],
    '69,90 Euro.',
  ],
  [
    'the user asked for the last items, in Chinese',
    '最近四次一共多少钱？',
    [`{"rows":${ROWS},"next":4}`],
    '69.90欧元。',
  ],
  ['the sum is in a result', SUM, [`{"rows":${ROWS},"next":4,"sum_eur":69.90}`, '"sum 69.90"'], 'We took 69.90 euros.'],
])('is silent: %s', (_, request, results, answer) => expect(fires(request, results, answer)).toBe(false));

describe.each([
  '"cursor":"MTA","has_next_page":true',
  '"next_page_token":"x9"',
  '"links":{"next":"https://api.test/fares?page=2"}',
  '"total":36,"offset":0',
  '"pagination":{"page":1,"total_pages":9}',
  '"more":true',
])('a JSON result with %s', (field) => {
  it('says that more follows', () =>
    expect(fires(SUM, [`{"rows":${ROWS},${field}}`], 'It is 69.90 euros.')).toBe(true));
});

it.each([
  'Seite 1 von 8',
  'page 1 sur 8',
  'página 1 de 8',
  'pagina 1 di 8',
  'страница 1 из 8',
  '第1页，共8页',
  '8ページ中1ページ',
  '1/8 페이지',
  'Results 1-4 of 236',
  'صفحة 1 من 8',
])('reads that more follows: %s', (head) => {
  const text = JSON.stringify(`${head}\na1 12.10 x\na2 23.45 x\na3 18.75 x\na4 15.60 x`);
  expect(fires(SUM, [text], 'F: 69.90 €')).toBe(true);
});

it.each([
  ['Wie viele Fahrten gab es?', 'Es waren 4 Fahrten.'],
  ['Combien de trajets ?', 'Il y en a 4.'],
  ['¿Cuántos viajes hubo?', 'Hubo 4 viajes.'],
  ['Quanti viaggi ci sono?', 'Sono 4 viaggi.'],
  ['Сколько было поездок?', 'Было 4 поездки.'],
  ['一共有多少次？', '有4次。'],
  ['何件ありますか？', '4件です。'],
])('reads the request for a number: %s', (request, answer) => {
  expect(fires(request, [`{"rows":${ROWS},"next":4}`], answer)).toBe(true);
});

it.each([
  'Bisher 69,90 Euro.',
  'La première page donne 69,90 euros.',
  'La primera página suma 69,90 euros.',
  'На первой странице 69,90 евро.',
  '第一页合计69.90欧元。',
  '最初のページは69.90ユーロです。',
])('reads that the answer is about a part: %s', (answer) => {
  expect(fires(SUM, [`{"rows":${ROWS},"next":4}`], answer)).toBe(false);
});

it.each(['Das sind 69,90 Euro.', 'Cela fait 69,90 euros.', 'Итого 69,90 евро.', '合计69.90欧元。'])(
  'needs no words for a sum: %s',
  (answer) => expect(fires(SUM, [`{"rows":${ROWS},"next":4}`], answer)).toBe(true),
);

it.each([
  ['Welche Fahrt war die teuerste?', 'Die teuerste kostete 2345 Cent.'],
  ['Quel est le trajet le plus cher ?', 'Le plus cher est de 2345 centimes.'],
  ['¿Cuál fue el viaje más caro?', 'El más caro costó 2345 céntimos.'],
  ['Какая поездка самая дорогая?', 'Самая дорогая стоила 2345 центов.'],
  ['最贵的是哪一次？', '最贵的是2345分。'],
])('reads the request for an extreme value: %s', (request, answer) => {
  expect(fires(request, [`{"rows":${ROWS},"next":4}`], answer)).toBe(true);
});
