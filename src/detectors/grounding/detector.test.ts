import { type DetectorRow, testDetector } from '../_kit/tester.ts';
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
    fires: [{ subtype: 'invented_link', step: 1, agent: 'clerk', severity: 'warning', says: 'nordpost' }],
  },
  {
    name: 'invented_link: another page of a known host is less sure',
    trace: answering('See https://shop.test/help/returns', '{"page":"https://shop.test/orders"}'),
    fires: [{ subtype: 'invented_link', severity: 'info' }],
  },
  {
    name: 'invented_identifier: another order number',
    trace: answering('Your order K4471209 is on its way.'),
    fires: [{ subtype: 'invented_identifier', severity: 'warning', says: 'K4471209' }],
  },
  {
    name: 'invented_identifier: an address nobody gave',
    trace: answering('Write to returns@kettles.test about it.'),
    fires: [{ subtype: 'invented_identifier', says: 'returns@kettles.test' }],
  },
  {
    name: 'invented_quote: words the page does not say',
    trace: answering('The page says "every kettle can be returned within ninety days of delivery" to all.'),
    fires: [{ subtype: 'invented_quote', severity: 'info' }],
  },
  {
    name: 'unsupported_number: an amount from nowhere',
    trace: answering('The total was 93.75 euros.'),
    fires: [{ subtype: 'unsupported_number', severity: 'info' }],
  },
  {
    name: 'silent: everything stands in the result',
    trace: answering('Order K4471902 for ida@example.org came to 84.50.'),
    silent: true,
  },
  {
    name: 'silent: a sum of two amounts that were seen',
    trace: answering('Together that is 97.25.', '{"kettle":84.5,"shipping":12.75}'),
    silent: true,
  },
  {
    name: 'silent: the quotation stands there with other marks',
    trace: answering(
      'It says "returns are free, within thirty days of the delivery" there.',
      '"Note: returns are free - within thirty days of the delivery."',
    ),
    silent: true,
  },
  { name: 'silent: code in the answer is its own work', trace: answering('Run `get K9912345` and see.'), silent: true },
  {
    name: 'silent: a sender cut the result short',
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
    name: 'invented_identifier: an order in a structured answer, beside the id of a call',
    trace: answering(JSON.stringify({ tool_call_id: 'call_Rk90417Tq2', order: { id: 'K4471209' } })),
    fires: [{ subtype: 'invented_identifier', says: 'K4471209' }],
  },
  { name: 'not applicable without steps', trace: '', notApplicable: true },
];

testDetector(grounding, rows, { readme: new URL('./README.md', import.meta.url) });
