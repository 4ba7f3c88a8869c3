import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { grounding } from './detector.ts';

/** A shop assistant that looked one order up and then says this. */
function answering(
  answer: string,
  result = '{"order":"K4471902","total":84.5,"items":["kettle"],"mail":"ida@example.org"}',
): string {
  return `task "Where is my order?"\nagent clerk\ntool get_order {"id":"K4471902"} -> ${result}\nllm gpt-4o 80/20 -> ${JSON.stringify(answer)}`;
}

const rows: DetectorRow[] = [
  {
    name: 'invented_link: a host the run never saw',
    trace: answering('You can follow it at https://parcels.nordpost.test/track?id=9.'),
    fires: [{ subtype: 'invented_link', step: 1, agent: 'clerk', severity: 'info', text: 'nordpost' }],
  },
  {
    name: 'invented_link: another page of a known host',
    trace: answering('See https://shop.test/help/returns', '{"page":"https://shop.test/orders"}'),
    fires: [{ subtype: 'invented_link', severity: 'info' }],
  },
  {
    name: 'invented_link: a link of the run with other digits',
    trace: answering('See https://shop.test/o/4471209', '{"page":"https:\\/\\/shop.test\\/o\\/4471902"}'),
    fires: [{ subtype: 'invented_link', severity: 'warning', text: 'shop.test/o/4471902' }],
  },
  {
    name: 'invented_identifier: a citation of the form of the retrieved ones that was not retrieved',
    trace: answering(
      'Leave lasts 24 months [hr-at-12]. Adoption is covered as well [hr-at-19].',
      '[{"id":"hr-at-12","text":"24 months"},{"id":"hr-at-07","text":"holidays"}]',
    ),
    fires: [
      {
        subtype: 'invented_identifier',
        severity: 'warning',
        text: 'cites 1 source that no recorded prompt, message, document or tool result of the run contains: "hr-at-19". It also cites "hr-at-12", which the run contains.',
      },
    ],
  },
  ...[
    ['all citations were retrieved', 'Leave lasts 24 months [hr-at-12]. It has limits [hr-at-07].'],
    ['the names in brackets have another form', 'Leave lasts 24 months [hr-at-12]. See [Figure2].'],
    ['an index', 'Use rows[hr-at-12] and rows[hr-at-19].'],
    ['a link', 'Leave lasts 24 months [hr-at-12]. See [hr-at-19](https://hr.test/a).'],
  ].map(
    ([name, answer]): DetectorRow => ({
      name: `no citation is invented: ${name}`,
      trace: answering(answer!, '[{"id":"hr-at-12","page":"https://hr.test/a"},{"id":"hr-at-07"}]'),
      silent: true,
    }),
  ),
  {
    name: 'invented_identifier: an order number of the run with other digits',
    trace: answering('Your order K4471209 is on its way.'),
    fires: [{ subtype: 'invented_identifier', severity: 'warning', text: 'differs from "K4471209" only in digits' }],
  },
  ...[
    ['a code that was asked for', 'Your new voucher is SAVE-7Q4R22.'],
    ['a number of a different form', 'It went out as parcel ZX99812LT7.'],
    ['a standard', 'The kettle meets ISO27001 and NIST800-53.'],
    ['a public register', 'The board is affected by CVE-2021-44228.'],
    ['sizes of screws', 'Use M12x150 screws by DIN931.'],
  ].map(
    ([name, answer]): DetectorRow => ({
      name: `invented_identifier is no more than info for ${name}`,
      trace: answering(answer!, '{"order":"K4471902","cve":"CVE-2022-30190","norm":"ISO27002","screw":"M10x100"}'),
      fires: [{ subtype: 'invented_identifier', severity: 'info', text: 'may know it from elsewhere' }],
    }),
  ),
  {
    name: 'silent: Japanese text directly after an identifier',
    trace: answering('顧客K4471902の未払い請求書は3件です。'),
    silent: true,
  },
  {
    name: 'silent: a Korean particle directly after an identifier',
    trace: answering('K4471902를 발송했습니다.'),
    silent: true,
  },
  {
    name: 'invented_identifier: other digits, directly before Japanese text',
    trace: answering('ご注文K4471209は発送済みです。'),
    fires: [{ subtype: 'invented_identifier', severity: 'warning', text: 'K4471209' }],
  },
  {
    name: 'invented_link is no more than info for documentation that a model knows',
    trace: answering('Install it as https://docs.kettle-tool.test/uv/guides says.'),
    fires: [{ subtype: 'invented_link', severity: 'info', text: 'no recorded prompt, message' }],
  },
  {
    name: 'invented_identifier: an address that no source contains',
    trace: answering('Write to returns@kettles.test about it.'),
    fires: [{ subtype: 'invented_identifier', text: 'returns@kettles.test' }],
  },
  {
    name: 'invented_quote: words the page does not say',
    trace: answering('The page says "every kettle can be returned within ninety days of delivery" to all.'),
    fires: [{ subtype: 'invented_quote', severity: 'info' }],
  },
  {
    name: 'unsupported_number: an amount that no text contains',
    trace: answering('The total was 93.75 euros.'),
    fires: [{ subtype: 'unsupported_number', severity: 'info' }],
  },
  {
    name: 'unsupported_number: an amount with a decimal comma is quoted in full',
    trace: answering('Die Summe beträgt 1.305,97 €.', '{"total":84.5}'),
    fires: [{ subtype: 'unsupported_number', text: '"1.305,97"' }],
  },
  ...['1.305,97 €', '1 305,97 €', '1\u00a0305,97 €', "1'305.97 CHF", '١٬٣٠٥٫٩٧', '１３０５．９７', '$1,305.97'].map(
    (amount) => ({
      name: `silent: the result contains ${amount} in another notation`,
      trace: answering(`The total is ${amount}.`, '{"total":1305.97}'),
      silent: true as const,
    }),
  ),
  {
    name: 'silent: an Indian notation of the amount in the result',
    trace: answering('The total is ₹1,30,597.50.', '{"total":130597.5}'),
    silent: true,
  },
  {
    name: 'silent: the notation of the result is local, that of the answer is not',
    trace: answering('The total is 1,305.97 euros.', '"Summe: 1.305,97 €"'),
    silent: true,
  },
  {
    name: 'silent: the result contains everything',
    trace: answering('Order K4471902 for ida@example.org came to 84.50.'),
    silent: true,
  },
  {
    name: 'silent: the answer is the result, word for word',
    trace: answering(
      'Order K4471902 has left for ida@example.org, parcel ZX99812LT7.',
      '"Order K4471902 has left for ida@example.org, parcel ZX99812LT7."',
    ),
    silent: true,
  },
  {
    name: 'invented_identifier: the result of a call whose arguments contain the answer is not a source',
    trace: `agent clerk\ntool get_order {"id":"K4471902"} -> {"order":"K4471902"}\ntool submit {"text":"Your order is K4471209."} -> "Your order is K4471209."\nllm gpt-4o 80/20 -> "Your order is K4471209."`,
    fires: [{ subtype: 'invented_identifier', severity: 'warning' }],
  },
  {
    name: 'silent: a sum of two amounts that were seen',
    trace: answering('Together that is 97.25.', '{"kettle":84.5,"shipping":12.75}'),
    silent: true,
  },
  {
    name: 'silent: the quotation has other marks in the source',
    trace: answering(
      'It says "returns are free, within thirty days of the delivery" there.',
      '"Note: returns are free - within thirty days of the delivery."',
    ),
    silent: true,
  },
  { name: 'silent: code in the answer is its own work', trace: answering('Run `get K9912345` and see.'), silent: true },
  {
    name: 'silent: the sender truncated the result',
    trace: answering('Your order K4471209 is on its way.', '"orders: K4471902 …[truncated 7000 chars]… end"'),
    silent: true,
  },
  {
    name: 'silent: nothing was looked up, so the model answers by itself',
    trace:
      'agent clerk\nuser "Where can I read about TypeScript?"\nllm gpt-4o 10/9 -> "At https://typescript.test/docs for example."',
    silent: true,
    isPrefixInvariant: false,
  },
  ...Object.entries({
    'Vercel AI SDK': [{ toolCallId: 'call_Rk90417Tq2', toolName: 'get_order', input: '{"id":"K4471902"}' }],
    'OpenAI chat': {
      id: 'chatcmpl-Rk90417Tq2',
      choices: [{ message: { role: 'assistant', tool_calls: [{ id: 'call_88QzK1203', type: 'function' }] } }],
    },
    'OpenAI responses': [{ type: 'function_call', id: 'fc_90417Tq2', call_id: 'call_88QzK1203', name: 'get_order' }],
    Anthropic: {
      id: 'msg_01Rk90417',
      type: 'message',
      content: [{ type: 'tool_use', id: 'toolu_0190417', name: 'f' }],
    },
    'an answer in JSON twice': JSON.stringify([{ tool_call_id: 'call_Rk90417Tq2', content: 'sent' }]),
  }).map(
    ([sender, answer]): DetectorRow => ({
      name: `silent: ids of the protocol of ${sender} in an answer without words`,
      trace: answering(JSON.stringify(answer)),
      silent: true,
    }),
  ),
  {
    name: 'invented_identifier: an order in a structured answer, next to the id of a call',
    trace: answering(JSON.stringify({ tool_call_id: 'call_Rk90417Tq2', order: { id: 'K4471209' } })),
    fires: [{ subtype: 'invented_identifier', text: 'K4471209' }],
  },
  ...[
    [
      'values of an answer in JSON',
      JSON.stringify({ note: 'every kettle can be returned within ninety days of delivery', n: 4 }),
    ],
    [
      'values of JSON inside prose',
      'I would store {"note": "every kettle can be returned within ninety days of delivery", "n": 4} for it.',
    ],
    ['escaped letters of a name', JSON.stringify({ city: 'Bogotá2024x', at: 'Bogotá' }).replaceAll('á', '\\u00e1')],
    ['escaped letters in a text', 'He lives in Bogot\\u00e1rio and M\\u00fanchen.'],
    ['a drawing', 'Here it is:\n  o88o   d8888b.\n __|88|__/=====\\\\___\n88ooo8888ooo8'],
    ['a link that the result writes with escapes', 'See https://shop.test/orders?a=1&b=2'],
    [
      'a name that the result writes with escapes',
      'He said "der Kessel kann in dreißig Tagen zurückgegeben werden" to me.',
    ],
  ].map(
    ([name, answer]): DetectorRow => ({
      name: `silent: ${name}`,
      trace: answering(
        answer!,
        JSON.stringify({
          page: 'https:\\/\\/shop.test\\/orders?a=1&amp;b=2',
          city: 'Bogot\\u00e12024x',
          text: 'der Kessel kann in drei\\u00dfig Tagen zur\\u00fcckgegeben werden',
        }),
      ),
      silent: true,
    }),
  ),
  { name: 'not applicable without steps', trace: '', notApplicable: true },
];

testDetector(grounding, rows, { readme: new URL('./README.md', import.meta.url) });
