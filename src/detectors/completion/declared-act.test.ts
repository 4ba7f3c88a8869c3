import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const TOOLS = [
  'offers transfer_to_human {"type":"object"}',
  'offers open_ticket {"type":"object"}',
  'offers issue_refund {"type":"object"}',
  'offers book_table {"type":"object"}',
  'offers send_email {"type":"object"}',
  'offers cancel_order {"type":"object"}',
  'offers place_order {"type":"object"}',
].join('\n');

/** A desk that looks up an account, makes the given calls and ends with an answer. */
const desk = (answer: string, calls = '', tools = TOOLS) =>
  `${tools}\nagent desk\nuser "My water bill was charged twice."\ntool get_account {"id":"55"} -> {"id":"55","payments":2}\n${calls}\nllm m -> ${JSON.stringify(answer)}`;

const answers: readonly [string, string][] = [
  ['I see two payments. I will now transfer you to a colleague.', 'transfer_to_human'],
  ['I have passed you on to a colleague, who calls you today.', 'transfer_to_human'],
  ["I've opened a ticket for the second payment.", 'open_ticket'],
  ['I have refunded the second payment.', 'issue_refund'],
  ['I have placed the order for a new meter.', 'place_order'],
  ['Ich verbinde Sie jetzt mit einem Kollegen.', 'transfer_to_human'],
  ['Nun werde ich Sie an eine Kollegin weiterleiten.', 'transfer_to_human'],
  ['Ich habe ein Ticket für die zweite Zahlung eröffnet.', 'open_ticket'],
  ['Ich habe Ihnen den zweiten Betrag erstattet.', 'issue_refund'],
  ['Ahora le paso con un compañero.', 'transfer_to_human'],
  ['He reservado la mesa para las ocho.', 'book_table'],
  ['Je vais vous transférer à un collègue.', 'transfer_to_human'],
  ['J’ai annulé la commande.', 'cancel_order'],
  ['Vou transferir você para um colega.', 'transfer_to_human'],
  ['Enviei um e-mail com a fatura.', 'send_email'],
  ['Przekazuję rozmowę konsultantowi.', 'transfer_to_human'],
  ['Wysłałam maila z rachunkiem.', 'send_email'],
  ['Сейчас переведу вас на оператора.', 'transfer_to_human'],
  ['Я отменила заказ.', 'cancel_order'],
  ['我现在为您转接人工客服。', 'transfer_to_human'],
  ['我已经为您提交了工单。', 'open_ticket'],
  ['担当者におつなぎいたします。', 'transfer_to_human'],
  ['二重のお支払いを返金いたしました。', 'issue_refund'],
];

const rows: DetectorRow[] = [
  ...answers.map(([answer, tool]) => ({
    name: `announced_call_missing: ${answer}`,
    trace: desk(answer),
    fires: [
      {
        subtype: 'announced_call_missing',
        step: 2,
        agent: 'desk',
        severity: 'warning' as const,
        text: `The tool ${tool} is offered for this, and no call of the run is of ${tool}.`,
      },
    ],
  })),
  {
    name: 'announced_call_missing: without any call, and the tool has another name',
    trace: `offers give_to_colleague {"type":"object"}\nagent desk\nuser "I must speak with a person."\nllm m -> "I have passed you on to a colleague, who will call you within the hour."`,
    fires: [{ subtype: 'announced_call_missing', step: 1, text: 'and the run made no call at all.' }],
  },
  {
    name: 'silent: the tool was called',
    trace: desk('I have transferred you to a colleague.', 'tool transfer_to_human {} -> "ok"'),
    silent: true,
  },
  {
    name: 'silent: the tool was called in German',
    trace: desk('Ich habe ein Ticket eröffnet.', 'tool open_ticket {"about":"payment"} -> "8812"'),
    silent: true,
  },
  {
    name: 'silent: another call carried it out',
    trace: desk('I have refunded the second payment.', 'tool send_money {"subject":"refund"} -> "sent"'),
    silent: true,
  },
  {
    name: 'silent: the result of another call names it',
    trace: desk('Abrí un ticket para el pago.', 'tool report_fault {"id":"55"} -> {"ticket":"8812"}'),
    silent: true,
  },
  { name: 'silent: a condition', trace: desk('I will open a ticket once you confirm it.'), silent: true },
  {
    name: 'silent: a question',
    trace: desk('Soll ich Sie verbinden? Ich verbinde Sie mit einem Kollegen, ja?'),
    silent: true,
  },
  { name: 'silent: a negation', trace: desk('Je n’ai pas annulé la commande.'), silent: true },
  { name: 'silent: advice for the user', trace: desk('You can open a ticket on our page.'), silent: true },
  {
    name: 'silent: what the firm does',
    trace: desk('A colleague calls you, and the refund arrives on Monday.'),
    silent: true,
  },
  {
    name: 'silent: an act of an earlier turn',
    trace: `${desk('Ich habe ein Ticket eröffnet.')}\nuser "Danke, und jetzt?"\nllm m -> "Ich habe ein Ticket eröffnet, es ist in Arbeit."`,
    silent: true,
  },
  {
    name: 'unfulfilled_announcement only: another agent may take over',
    trace: `${TOOLS}\nagent router\nuser "A person, please."\nllm m -> "One moment."\nagent desk\nllm m -> "I will now transfer you to a colleague."`,
    fires: [{ subtype: 'unfulfilled_announcement' }],
  },
];

testDetector(completion, rows);

const undeclared = 'offers get_account {"type":"object"}';
testDetector(completion, [
  {
    name: 'unfulfilled_announcement only: no tool for it is declared',
    trace: desk('I will now transfer you to a colleague.', '', undeclared),
    fires: [{ subtype: 'unfulfilled_announcement' }],
  },
]);
