import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const KEYS = '["K-101","K-102","K-103","K-104"]';
const READ = (key: string, text = 'Gravel, two years.') =>
  `tool read_contract {"id":"${key}"} -> ${JSON.stringify(text)}`;
const TWO = `${READ('K-101')}\n${READ('K-102', 'Two excavators.')}`;

/** A list, the contracts that were read, and the answer. */
const audit = (
  answer: string,
  { list = KEYS, read = TWO, request = 'Does any contract contain a penalty clause?' } = {},
) =>
  `agent auditor\nuser ${JSON.stringify(request)}\ntool list_contracts {} -> ${list}\n${read}\nllm m -> ${JSON.stringify(answer)}`;

/** Tables that were copied and compared, and the answer. */
const migrated = (tables: readonly string[], answer: string, rest = '') =>
  `agent migrator
user "Copy the tables of schema shop and compare the row counts."
tool list_tables {"schema":"shop"} -> ["orders","prices","stock","carts"]
${tables.map((table) => `tool copy_table {"table":"${table}"} -> {"rows":12}\ntool compare_counts {"table":"${table}"} -> {"equal":true}`).join('\n')}
${rest}
llm m -> ${JSON.stringify(answer)}`;

const answers = [
  'No, none of the contracts contains a penalty clause.',
  'All of the contracts run for two years.',
  'Nein, keiner der Verträge enthält eine Vertragsstrafe.',
  'Alle Verträge laufen zwei Jahre.',
  'No, ninguno de los contratos contiene una penalización.',
  'Non, aucun des contrats ne contient de pénalité.',
  'Não, nenhum dos contratos contém uma multa.',
  'Nie, żadna umowa nie zawiera kary.',
  'Нет, ни один договор не содержит штрафа.',
  '没有，所有合同都不包含违约金条款。',
  'いいえ、すべての契約に違約金条項はありません。',
];

const rows: DetectorRow[] = [
  ...answers.map((answer) => ({
    name: `items_unread: ${answer}`,
    trace: audit(answer),
    fires: [
      {
        subtype: 'items_unread',
        step: 4,
        agent: 'auditor',
        severity: 'warning' as const,
        text: 'names 4 items, and read_contract opened 2 of them. No call opens K-103, K-104.',
      },
    ],
  })),
  {
    name: 'items_unread: a list in lines, and one in objects of one field',
    trace: audit(answers[0]!, { list: JSON.stringify('K-101\nK-102\nK-103') }),
    fires: [{ subtype: 'items_unread', suggestion: 'open K-103, or say that it read 2 of 3 items' }],
  },
  ...[
    'K-101, K-102, K-103, K-104',
    'K-101、K-102、K-103、K-104。',
    'K-101؛ K-102؛ K-103؛ K-104',
    'K-101,\nK-102,\nK-103,\nK-104.',
    '- (K-101)\n- (K-102)\n- (K-103)\n- (K-104)',
    '「K-101」\n「K-102」\n「K-103」\n「K-104」',
  ].map((list) => ({
    name: `items_unread: punctuation is no part of a key: ${JSON.stringify(list)}`,
    trace: audit(answers[0]!, { list: JSON.stringify(list) }),
    fires: [{ subtype: 'items_unread', text: 'opened 2 of them. No call opens K-103, K-104.' }],
  })),
  {
    name: 'silent: all were opened, and the list has punctuation',
    trace: audit(answers[0]!, {
      list: JSON.stringify('K-101,\nK-102,\nK-103.'),
      read: ['K-101', 'K-102', 'K-103'].map((key) => READ(key)).join('\n'),
    }),
    silent: true,
  },
  {
    name: 'items_unread: a list of objects',
    trace: audit(answers[0]!, { list: '{"items":[{"id":"K-101"},{"id":"K-102"},{"id":"K-103"}]}' }),
    fires: [{ subtype: 'items_unread' }],
  },
  {
    name: 'items_unread: the answer claims all of the number of names, and several tools worked on a part',
    trace: migrated(['orders', 'prices'], 'All 4 tables are copied, and the row counts are equal.'),
    fires: [
      {
        subtype: 'items_unread',
        severity: 'warning',
        text: 'names 4 items, and later calls have 2 of them as an argument. No call has stock, carts.',
        suggestion: 'call copy_table for stock, carts, or say that it did 2 of 4 items',
      },
    ],
  },
  {
    name: 'silent: all names',
    trace: migrated(['orders', 'prices', 'stock', 'carts'], 'All 4 tables are copied.'),
    silent: true,
  },
  {
    name: 'silent: a part of the names',
    trace: migrated(['orders', 'prices'], '2 of the 4 tables are copied.'),
    silent: true,
  },
  {
    name: 'silent: names without their number',
    trace: migrated(['orders', 'prices'], 'All the tables are copied.'),
    silent: true,
  },
  {
    name: 'silent: another call may have copied the rest',
    trace: migrated(['orders', 'prices'], 'All 4 tables are copied.', 'tool copy_rest {"schema":"shop"} -> "ok"'),
    silent: true,
  },
  {
    name: 'silent: all were opened',
    trace: audit(answers[0]!, { read: ['K-101', 'K-102', 'K-103', 'K-104'].map((key) => READ(key)).join('\n') }),
    silent: true,
  },
  { name: 'silent: an item was found', trace: audit('Yes, K-102 contains one.'), silent: true },
  {
    name: 'silent: the answer names a part',
    trace: audit('None of the first two contracts contains one.'),
    silent: true,
  },
  {
    name: 'silent: the answer names a part, in German',
    trace: audit('Bisher enthält keiner der Verträge eine.'),
    silent: true,
  },
  {
    name: 'silent: the request selects',
    trace: audit(answers[0]!, { request: 'Does any of the first two contracts contain one?' }),
    silent: true,
  },
  {
    name: 'silent: another call may have read the rest',
    trace: audit(answers[2]!, { read: `${TWO}\ntool find_text {"text":"penalty"} -> "nothing"` }),
    silent: true,
  },
  {
    name: 'silent: titles may say which items matter',
    trace: audit(answers[4]!, {
      list: '[{"id":"K-101","title":"Gravel"},{"id":"K-102","title":"Excavators"},{"id":"K-103","title":"Menu"}]',
    }),
    silent: true,
  },
  {
    name: 'silent: the answer asks',
    trace: audit('None of the contracts contains one, so shall I read the rest?'),
    silent: true,
  },
  {
    name: 'silent: the rest is named',
    trace: audit('None of them contains one. K-103 and K-104 are locked.'),
    silent: true,
  },
];

testDetector(completion, rows);
