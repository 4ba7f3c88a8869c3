import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { reasoningActionMismatch } from './detector.ts';

/** A user asks about one meter, and the site of another one is activated. */
const site = (...lookups: string[]) =>
  [
    'user "My meter 770-4431-02 has no power."',
    'agent clerk',
    ...lookups,
    'tool activate_site {"site":"ST-21"} -> "activated"',
  ].join('\n');

const rows: DetectorRow[] = [
  {
    name: 'announced_other_tool',
    trace: `
offers search_orders {"type":"object"}
agent clerk
llm gpt-4o -> "I will use the search_orders tool." calls cancel_order {"id":"A-1"}
tool cancel_order {"id":"A-1"} -> "cancelled"
llm gpt-4o -> "Done."`,
    fires: [{ subtype: 'announced_other_tool', step: 0, agent: 'clerk', severity: 'warning', text: 'cancel_order' }],
  },
  {
    name: 'silent: an earlier answer lists both names',
    trace: `
agent planner
llm gpt-4o -> "Documents: lease_2021.pdf, lease_2022.pdf, lease_2024x.pdf, lease_2014x.pdf"
tool load {"name":"lease_2014x.pdf"} -> "rent 1,850"
tool load {"name":"lease_2024x.pdf"} -> "rent 3,400"`,
    silent: true,
  },
  {
    name: 'altered_value: the agent wrote the value itself before',
    trace: `
user "Where is order W2378156?"
agent clerk
llm gpt-4o -> "I look up order W2371156."
tool get_order {"order_id":"W2371156"} !! order not found`,
    fires: [
      {
        subtype: 'altered_value',
        step: 2,
        severity: 'warning',
        text: 'which no earlier result and no message of the user contains',
      },
    ],
  },
  {
    name: 'altered_value: one character of an order id',
    trace: `
user "Where is order W2378156?"
agent clerk
tool get_order {"order_id":"W2873156"} -> "found"
tool get_order {"order_id":"W2371156"} !! order not found`,
    fires: [{ subtype: 'altered_value', step: 2, agent: 'clerk', severity: 'warning', text: 'W2378156' }],
  },
  {
    name: 'silent: the announced tool comes first',
    trace: `
agent clerk
llm gpt-4o -> "Let me use search_orders first." calls search_orders {"q":"x"}
tool search_orders {"q":"x"} -> "A-1"
tool cancel_order {"id":"A-1"} -> "ok"`,
    silent: true,
  },
  {
    name: 'silent: the announced tool comes soon',
    trace: `
agent clerk
llm gpt-4o -> "I will call cancel_order." calls get_order {"id":"A-1"}
tool get_order {"id":"A-1"} -> "open"
tool cancel_order {"id":"A-1"} -> "ok"`,
    silent: true,
  },
  {
    name: 'silent: counting ids up is intended',
    trace:
      'user "Start at ticket T100200."\nagent clerk\ntool get_ticket {"id":"T100200"} -> "a"\ntool get_ticket {"id":"T100201"} -> "b"',
    silent: true,
  },
  {
    name: 'silent: another date',
    trace: 'user "Flights on 2026-05-14?"\nagent clerk\ntool flights {"date":"2026-05-24"} -> "none"',
    silent: true,
  },
  {
    name: 'silent: an id from a result',
    trace:
      'user "My order W2378156"\nagent clerk\ntool list {"q":"mine"} -> "W2378156 W2371156"\ntool get_order {"order_id":"W2371156"} -> "ok"',
    silent: true,
  },
  {
    name: 'other_record: the records come from different results',
    trace: site(
      'tool find_owner {"q":"Okafor"} -> {"owner":"OW-7","meter":"770-4431-02","sites":["ST-21","ST-22"]}',
      'tool get_site {"id":"ST-21"} -> {"site":"ST-21","meter":"770-4431-01","state":"off"}',
    ),
    fires: [
      {
        subtype: 'other_record',
        step: 3,
        severity: 'warning',
        suggestion:
          'repeat it for the record with meter "770-4431-02": the id that step 1 lists next to "ST-21" and that nothing had looked up is "ST-22".',
      },
    ],
  },
  {
    name: 'other_record: one result shows both, so the change may be asked for',
    trace: site(
      'tool list_sites {} -> [{"site":"ST-21","meter":"770-4431-01","state":"off"},{"site":"ST-22","meter":"770-4431-02","state":"off"}]',
    ),
    fires: [{ subtype: 'other_record', step: 2, severity: 'info' }],
  },
  { name: 'not applicable without calls', trace: 'agent a\nllm gpt-4o -> "Hello."', notApplicable: true },
];

testDetector(reasoningActionMismatch, rows, { readme: new URL('./README.md', import.meta.url) });
