import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { contextNeglect } from './detector.ts';
import { findSameReply } from './same-reply.ts';

const GREETING = 'Hello! I am your guide. Where would you like to go today?';
const chat = (...turns: [user: string, reply: string][]) =>
  `agent guide\n${turns.map(([user, reply]) => `user ${JSON.stringify(user)}\nllm m -> ${JSON.stringify(reply)}`).join('\n')}`;

const rows: DetectorRow[] = [
  {
    name: 'same_reply: three messages get the same reply',
    trace: chat(
      ['When does the ferry to Skerry leave?', 'At 9:40, from the north berth.'],
      ['And the one after it?', GREETING],
      ['To Skerry, as I wrote.', GREETING],
      ['The second ferry to Skerry.', GREETING],
    ),
    fires: [
      {
        subtype: 'same_reply',
        step: 7,
        agent: 'guide',
        severity: 'warning',
        text: `guide gave the same reply 3 times in a row, word for word, to different messages of the user: "${GREETING}". The last message was "The second ferry to Skerry.".`,
        suggestion: 'let it answer "The second ferry to Skerry." in another way',
        fix: 'Answer the last message of the user',
      },
    ],
  },
  {
    name: 'same_reply: the user corrects a value and gets the reply from before',
    trace: chat(
      ['Cabin 5117 for the 20th, please.', 'Cabin 5117 is booked for the 18th.'],
      ['Not on the 18th: on the 20th.', 'Cabin 5117 is booked for the 18th.'],
    ),
    fires: [{ subtype: 'same_reply', step: 3, text: 'The reply does not contain "20".' }],
  },
  {
    name: 'same_reply: the correction gets the reply from before, and a call of each turn worked',
    trace: `agent guide
${['Cabin 5117 for the 20th, please.', 'Not on the 18th: on the 20th.'].map((message) => `user "${message}"\nllm m calls cabin_list {}\ntool cabin_list {} -> {"free":[5117]}\nllm m -> "Cabin 5117 is booked for the 18th."`).join('\n')}`,
    fires: [{ subtype: 'same_reply', text: 'The reply does not contain "20".' }],
  },
  ...[
    [
      'Please give me your booking reference.',
      'I want to change my cabin',
      'I do not have one, please transfer me.',
      'Transfer me to a person!',
    ],
    [
      'Bitte nennen Sie mir Ihre Buchungsnummer.',
      'Ich möchte umbuchen',
      'Ich habe keine, bitte mit einem Menschen verbinden.',
      'Jetzt mit einem Menschen verbinden!',
    ],
  ].map(
    ([reply, ...messages]): DetectorRow => ({
      name: `same_reply: a request of the agent that the user cannot meet: ${reply}`,
      trace: chat(...messages.map((message): [string, string] => [message, reply!])),
      fires: [{ subtype: 'same_reply', step: 5, text: '3 times in a row' }],
    }),
  ),
  {
    name: 'silent: a request for the next item of a list',
    trace: chat(
      ['Is this the list for the market?', 'It is on the list. Please name the next item.'],
      ['Eggs, a dozen.', 'It is on the list. Please name the next item.'],
      ['Some rye flour.', 'It is on the list. Please name the next item.'],
    ),
    silent: true,
  },
  {
    name: 'silent: the second reply differs',
    trace: chat(
      ['Cabin 5117 for the 20th, please.', 'Cabin 5117 is booked for the 18th.'],
      ['Not on the 18th: on the 20th.', 'Cabin 5117 is booked for the 20th.'],
    ),
    silent: true,
  },
  {
    name: 'silent: two equal replies, and the message names no value of the reply',
    trace: chat(
      ['Where is berth 3?', 'You find all berths on the map.'],
      ['And berth 4?', 'You find all berths on the map.'],
    ),
    silent: true,
  },
  {
    name: 'silent: the user insists on a request that the agent refuses',
    trace: chat(
      ['Add a cabin to my ticket.', 'I am sorry, a cabin cannot be added after the booking.'],
      ['My family has one. Please add the cabin.', 'I am sorry, a cabin cannot be added after the booking.'],
      ['Is there no way to get a cabin?', 'I am sorry, a cabin cannot be added after the booking.'],
    ),
    silent: true,
  },
  {
    name: 'silent: a refused request in a script without spaces',
    trace: chat(
      ['保険を追加してください。', '申し訳ありませんが、予約後の保険の追加はできません。'],
      ['家族には保険があります。', '申し訳ありませんが、予約後の保険の追加はできません。'],
      ['保険の例外はありませんか。', '申し訳ありませんが、予約後の保険の追加はできません。'],
    ),
    silent: true,
  },
  {
    name: 'silent: a call of each turn worked',
    trace: `agent guide
${['Where is berth 3?', 'Where is berth 4?', 'And my cabin?'].map((message, at) => `user "${message}"\ntool show_on_map {"item":${at}} -> {"shown":true}\nllm m -> "${GREETING}"`).join('\n')}`,
    silent: true,
  },
  {
    name: 'same_reply: the calls of the turns failed',
    trace: `agent guide
${['Where is berth 3?', 'Where is berth 4?', 'And my cabin?'].map((message, at) => `user "${message}"\ntool show_on_map {"item":${at}} !! "no map"\nllm m -> "${GREETING}"`).join('\n')}`,
    fires: [{ subtype: 'same_reply', text: '3 times in a row' }],
  },
  {
    name: 'silent: statements with one acknowledgement',
    trace: chat(
      ['Slept badly, about five hours.', 'Thank you, I have written that down for you.'],
      ['Breakfast: porridge and an apple.', 'Thank you, I have written that down for you.'],
      ['Headache since ten.', 'Thank you, I have written that down for you.'],
    ),
    silent: true,
  },
  {
    name: 'silent: an acknowledgement that asks for the next item of a list',
    trace: chat(
      ['Is this the list for the market?', 'It is on the list. What is the next item?'],
      ['Eggs, a dozen.', 'It is on the list. What is the next item?'],
      ['Some rye flour.', 'It is on the list. What is the next item?'],
    ),
    silent: true,
  },
  {
    name: 'silent: one refusal for requests that are out of scope',
    trace: chat(
      ['Who won the match?', 'I cannot help with that. Would you like to book a cabin?'],
      ['What is seven times eight?', 'I cannot help with that. Would you like to book a cabin?'],
      ['Write me a poem.', 'I cannot help with that. Would you like to book a cabin?'],
    ),
    silent: true,
  },
  {
    name: 'silent: the user has the last word',
    trace: `${chat(['One.', GREETING], ['Two.', GREETING], ['Three.', GREETING])}\nuser "Never mind, thank you."`,
    silent: true,
  },
  {
    name: 'silent: short replies',
    trace: chat(['Mark berth 3.', 'Done.'], ['Mark berth 4.', 'Done.'], ['Mark berth 5.', 'Done.']),
    silent: true,
  },
  {
    name: 'silent: the same question three times',
    trace: chat(['Ferry?', GREETING], ['Ferry?', GREETING], ['Ferry?', GREETING]),
    silent: true,
  },
  {
    name: 'silent: the agent found its way back',
    trace: chat(
      ['One.', GREETING],
      ['Two.', GREETING],
      ['Three.', GREETING],
      ['Four.', 'The ferry leaves at 9:40 today.'],
    ),
    silent: true,
  },
];

testDetector(contextNeglect, rows);

it.each([
  ['5117 am 18.? Nein, am 20.', 'Kabine 5117 ist für den 18. gebucht.'],
  ['No, la 5117 para el 20.', 'La cabina 5117 está reservada para el 18.'],
  ['Non, la 5117 pour le 20.', 'La cabine 5117 est réservée pour le 18.'],
  ['5117号室は18日ではなく20日です。', '5117号室を18日に予約いたしました。ありがとうございます。'],
])('reads a correction in any language: %s', (message, reply) => {
  const trace = parseTrace(chat(['…', reply], [message, reply]));
  expect(findSameReply(trace)).toMatchObject({ times: 2, value: '20' });
});

it('reads the replies of earlier turns from the messages of the last model call', () => {
  const trace = parseTrace(chat(['Four.', GREETING]));
  const says = (role: string, content: string) => ({ role, name: null, content, toolCalls: [], toolCallId: null });
  trace.steps[1]!.inputMessages = [
    says('system', 'You guide passengers.'),
    ...['Two.', 'Three.'].flatMap((text) => [says('user', text), says('assistant', GREETING)]),
    says('user', 'Four.'),
  ];
  expect(findSameReply(trace)).toMatchObject({ times: 3, earlier: [], value: null });
});
