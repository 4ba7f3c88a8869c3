import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { contextNeglect } from './detector.ts';
import { findSameQuestion } from './same-question.ts';

const ASKED = 'Could you please share your first and last name?';
const MESSAGES = [
  'Can I move to another cabin?',
  'And can I cancel it?',
  'How long does a refund take?',
  'Is the ship late?',
];
const chat = (replies: readonly string[], messages: readonly string[] = MESSAGES) =>
  `agent guide\n${replies.map((reply, at) => `user ${JSON.stringify(messages[at])}\nllm m -> ${JSON.stringify(reply)}`).join('\n')}`;

const rows: DetectorRow[] = [
  {
    name: 'same_question: four replies end with it',
    trace: chat([`I can help. ${ASKED}`, `To cancel, I need your account. ${ASKED}`, `A refund, yes. ${ASKED}`, ASKED]),
    fires: [
      {
        subtype: 'same_question',
        step: 3,
        agent: 'guide',
        severity: 'warning',
        text: `The last 4 replies of guide (steps 1, 3, 5 and 7) end with the same question: "${ASKED}". The user wrote something else each time, last "Is the ship late?", and the run ended.`,
        fix: 'Ask for the same thing at most twice',
      },
    ],
  },
  {
    name: 'same_question: a sentence that is nearly the same precedes it in each reply',
    trace: chat(
      ['cabin', 'cancellation', 'refund', 'ship'].map(
        (what) => `To help with your ${what} question, I need to verify your booking first. ${ASKED}`,
      ),
    ),
    fires: [{ subtype: 'same_question', step: 3 }],
  },
  {
    name: 'same_question: its lead-in names what each message is about',
    trace: chat([
      `To help you change your cabin, I need to verify your booking first. ${ASKED}`,
      `To help with your cancellation, I need to verify your booking first. ${ASKED}`,
      `To help with your refund question, I need to verify your booking first. ${ASKED}`,
      `To check if the ship is late, I need to verify your booking. ${ASKED}`,
    ]),
    fires: [{ subtype: 'same_question', step: 3 }],
  },
  {
    name: 'silent: each reply answers, and the question follows',
    trace: chat([
      `Cabins on deck 4 are free until Friday. ${ASKED}`,
      `Yes, without costs until two days before the trip. ${ASKED}`,
      `A refund takes five working days. ${ASKED}`,
      `The ship left Kiel twenty minutes late. ${ASKED}`,
    ]),
    silent: true,
  },
  {
    name: 'silent: three replies',
    trace: chat([ASKED, ASKED, `Yes. ${ASKED}`].map((text, at) => `${at}. ${text}`)),
    silent: true,
  },
  {
    name: 'silent: the last reply answers',
    trace: chat([`A. ${ASKED}`, `B. ${ASKED}`, `C. ${ASKED}`, 'The ship is on time.']),
    silent: true,
  },
  {
    name: 'silent: short questions that close every reply',
    trace: chat(['Yes. Anything else?', 'You can. Anything else?', 'A week. Anything else?', 'No. Anything else?']),
    silent: true,
  },
  {
    name: 'silent: each reply does what the user asked and then asks the question',
    trace: `agent till
${['Two buns.', 'A tea.', 'A cake.', 'Can I have a juice?'].map((order, at) => `user "${order}"\ntool add {"line":"${order}"} -> {"lines":${at + 1}}\nllm m -> "Added. What would you like to eat or drink?"`).join('\n')}`,
    silent: true,
  },
  {
    name: 'silent: an order without calls, and a question about more of it',
    trace: chat(
      ['Two buns: noted.', 'A tea: noted.', 'A cake: noted.', ''].map(
        (text) => `${text} Would you like anything else?`,
      ),
      ['Can I have two buns?', 'Can I have a tea?', 'Can I have a cake?', 'Can I pay by card?'],
    ),
    silent: true,
  },
  {
    name: 'silent: the messages answer the question',
    trace: chat(
      ['Which dish did the table order?', 'Which dish did the table order?', 'Soup. Which dish did the table order?'],
      ['Start the list.', 'Soup.', 'Fish.'],
    ).concat('\nuser "Bread."\nllm m -> "Which dish did the table order?"'),
    silent: true,
  },
  {
    name: 'silent: each question of the user is answered first',
    trace: chat(
      ['Yes.', 'Yes.', 'Until ten.', 'Yes, small ones.'].map((text) => `${text} Shall I book the room for you now?`),
      ['Is there parking?', 'Is there a sauna?', 'When is it open?', 'Are dogs allowed?'],
    ),
    silent: true,
  },
  {
    name: 'silent: the user repeats a message',
    trace: chat([`A. ${ASKED}`, `B. ${ASKED}`, `C. ${ASKED}`, `D. ${ASKED}`], ['Cabin?', 'Cabin?', 'Cabin?', 'Cabin?']),
    silent: true,
  },
];

testDetector(contextNeglect, rows);

it.each([
  'Wie lauten bitte Ihr Vor- und Ihr Nachname?',
  'Pourriez-vous indiquer votre nom et votre prénom ?',
  'ご予約時のお名前とお電話番号を教えていただけますでしょうか？',
  'ما هو اسمك الكامل كما في الحجز الأخير؟',
])('reads the question in any language: %s', (question) => {
  const replies = ['A.', 'B.', 'C.', 'D.'].map((head) => `${head} ${question}`);
  expect(findSameQuestion(parseTrace(chat(replies)))).toMatchObject({ question });
});

it.each([
  'Was darf ich Ihnen sonst noch bringen?',
  'Voulez-vous commander autre chose ?',
  '¿Desea añadir algo más a su pedido?',
  'Хотите добавить что-нибудь ещё к заказу?',
  'ほかにご注文はございますでしょうか？何でもどうぞ、他にございますか？',
  'هل تريد أن تطلب شيئا آخر مع هذا الطلب؟',
])('does not read a question about more as one that repeats: %s', (question) => {
  expect(findSameQuestion(parseTrace(chat([question, question, question, question])))).toBeNull();
});
