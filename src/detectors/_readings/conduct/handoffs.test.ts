import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { handoffs, isSameActor } from './handoffs.ts';

test.each([
  ['node router goto writer', 'router -> writer'],
  ['node router goto __end__', ''],
  ['agent a\ntool transfer_to_billing_agent {} -> "ok"', 'a -> billing_agent'],
  [
    'agent a\ntool transfer_to_billing {} -> "ok"\nspan handoff goto billing\nagent billing\nllm m -> "hi"',
    'a -> billing',
  ],
  [
    'agent sales\ntool transfer_to_billing {} -> "ok"\nagent billing\ntool transfer_to_sales {} -> "ok"\nagent sales\ntool transfer_to_billing {} -> "ok"',
    'sales -> billing,billing -> sales,sales -> billing',
  ],
  ['node a\nstate {"next":"writer"}\nnode writer\nstate {"next":"FINISH"}', 'a -> writer'],
  ['node a\nstate {"next":["writer"]}\nnode writer\nstate {"next":["writer"]}', 'a -> writer'],
  ['node a\nstate {"author":"b"}', ''],
  ['node a\nstate {"next_step":"Check invoice"}\nnode b\nstate {"next_step":"Rückruf planen"}', ''],
  ['agent a\ntool transfer_to_human_agents {} -> "ok"', ''],
  ['agent a\ntool delegate {"to":"critic"} -> "ok"', 'a -> critic'],
  ['agent a\ntool send_message {"to":"ann@example.org"} -> "ok"', ''],
  ['agent a\ntool transfer_to_sales {} !! no such agent', ''],
  ['agent a\ntool transfer_money {"to":"ann"} -> "ok"', ''],
])('%s: the handoffs are %s', (text, expected) => {
  expect(
    handoffs(parseTrace(text))
      .map(({ from, to }) => `${from} -> ${to}`)
      .join(),
  ).toBe(expected);
});

test.each(['Sales Agent', 'Verkäufer', 'księgowość', 'счета', '受付', '计费员'])(
  'the state and calls name %s',
  (name) => {
    const trace = parseTrace(
      'node desk\nstate {"next":"NAME"}\nnode NAME\nstate {"next":"desk"}\nagent desk\ntool delegate {"to":"NAME"} -> "ok"'.replaceAll(
        '"NAME"',
        JSON.stringify(name),
      ),
    );
    for (const step of trace.steps) if (step.node === 'NAME') Object.assign(step, { node: name, agent: name, name });
    for (const state of trace.states) if (state.node === 'NAME') Object.assign(state, { node: name, agent: name });
    trace.agents = trace.agents.map((agent) => (agent === 'NAME' ? name : agent));
    expect(handoffs(trace).map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      `desk -> ${name}`,
      `${name} -> desk`,
      `desk -> ${name}`,
    ]);
  },
);

test.each([
  ['Billing Agent', 'billing_agent', true],
  ['billing', 'BillingAgent', true],
  ['billing', 'building', false],
  ['agent', 'assistant', false],
])('%s and %s are the same: %s', (a, b, expected) => {
  expect(isSameActor(a, b)).toBe(expected);
});

test('reads hand-offs that only the last message of the receiver shows', () => {
  const trace = parseTrace('agent desk\nllm m\nagent reservations\nllm m\nagent desk\nllm m -> "Open until 19."');
  const says = (content: string) => ({ role: 'user', name: null, content, toolCalls: [], toolCallId: null });
  const passed = (to: string) => says(`Agent ${to} is now handling the request due to the following reason: a card.`);
  trace.steps[0]!.inputMessages = [says('Extend my card.')];
  trace.steps[1]!.inputMessages = [says('Extend my card.'), passed('reservations')];
  trace.steps[2]!.inputMessages = [says('Extend my card.'), passed('reservations'), passed('desk')];
  expect(handoffs(trace)).toMatchObject([
    { step: 0, from: 'desk', to: 'reservations', how: 'message', tool: null },
    { step: 1, from: 'reservations', to: 'desk' },
  ]);
});
