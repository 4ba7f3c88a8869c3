import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { coordination } from './detector.ts';

const rows: DetectorRow[] = [
  {
    name: 'handoff_unanswered: the writer never acts',
    trace: 'graph start -> router -> writer\nnode start -> "go"\nnode router goto writer',
    fires: [{ subtype: 'handoff_unanswered', step: 1, agent: 'router', severity: 'warning', text: 'writer' }],
  },
  {
    name: 'handoff_ping_pong: four handoffs, no work',
    trace: `
repeat 2
  agent sales
  tool transfer_to_billing {} -> "ok"
  agent billing
  tool transfer_to_sales {} -> "ok"
agent sales
llm gpt-4o -> "Nobody knows."`,
    fires: [{ subtype: 'handoff_ping_pong', step: 0, agent: 'sales', severity: 'warning' }],
  },
  ...['support', 'supervisor', 'operator'].map((name) => ({
    name: `handoff_ping_pong: an agent called ${name}`,
    trace: `
repeat 2
  agent ${name}
  tool mcp__desk__transfer_to_billing {} -> "ok"
  agent billing
  tool transfer_to_${name} {} -> "ok"
agent ${name}
llm gpt-4o -> "Nobody knows."`,
    fires: [{ subtype: 'handoff_ping_pong', step: 0, agent: name, severity: 'warning' as const }],
  })),
  {
    name: 'handoff_ping_pong: nodes name each other in the state',
    trace: `
framework langgraph
repeat 3
  node sales
  state {"request":"a refund","next":"billing"}
  node billing
  state {"request":"a refund","next":"sales"}
node sales
state {"request":"a refund","next":"END"}`,
    fires: [
      {
        subtype: 'handoff_ping_pong',
        step: 0,
        agent: 'sales',
        text: 'sales and billing handed the work to each other 6 times',
      },
    ],
  },
  {
    name: 'silent: the user asks in turn for sales and for billing, and each agent answers briefly',
    trace: `
repeat 2
  user "Is bill {n} of sales paid?"
  agent sales
  tool transfer_to_billing {} -> "ok"
  agent billing
  llm gpt-4o -> "Yes, {n}."
  user "Which plans of kind {n} are there?"
  tool transfer_to_sales {} -> "ok"
  agent sales
  llm gpt-4o -> "Small and big {n}."`,
    silent: true,
  },
  {
    name: 'handoff_ping_pong: one question of the user before the handoffs',
    trace: `
user "Is the bill paid?"
agent sales
repeat 3
  agent sales
  tool transfer_to_billing {} -> "ok"
  agent billing
  tool transfer_to_sales {} -> "ok"
agent sales
llm gpt-4o -> "Nobody knows."
user "Is anybody there?"`,
    fires: [{ subtype: 'handoff_ping_pong', step: 1, text: '6 times' }],
  },
  {
    name: 'silent: drafts go back and forth',
    trace: `
repeat 3
  agent writer
  llm gpt-4o -> "Version {n} of the text about the ferry: it leaves at {n} o'clock from the pier behind the market hall."
  tool transfer_to_editor {} -> "ok"
  agent editor
  tool transfer_to_writer {} -> "ok"
agent writer
llm gpt-4o -> "This is the last version."`,
    silent: true,
  },
  {
    name: 'silent: the state carries the work back and forth',
    trace: `
framework langgraph
repeat 3
  node writer
  state {"draft":"Version {n} of the text about the ferry: it leaves at {n} o'clock from the pier behind the market hall.","next":"editor"}
  node editor
  state {"draft":"Version {n} of the text about the ferry: it leaves at {n} o'clock from the pier behind the market hall.","next":"writer"}
node writer
state {"draft":"done","next":"END"}`,
    silent: true,
  },
  {
    name: 'duplicate_action: booked by both',
    trace: 'agent a\ntool book_room {"day":"friday"} -> "booked"\nagent b\ntool book_room {"day":"friday"} -> "booked"',
    fires: [{ subtype: 'duplicate_action', step: 1, agent: 'b', severity: 'warning' }],
  },
  {
    name: 'duplicate_lookup: searched by both',
    trace: 'agent a\ntool search {"q":"ferry times"} -> "six"\nagent b\ntool search {"q":"ferry times"} -> "six"',
    fires: [{ subtype: 'duplicate_lookup', step: 1, severity: 'info' }],
  },
  {
    name: 'duplicate_lookup: a call whose name states no effect is not an action',
    trace: 'agent a\ntool weather {"city":"Rome"} -> "sunny"\nagent b\ntool weather {"city":"Rome"} -> "sunny"',
    fires: [{ subtype: 'duplicate_lookup', step: 1, severity: 'info' }],
  },
  {
    name: 'silent: a vote of three agents',
    trace: ['a', 'b', 'c'].map((name) => `agent ${name}\ntool submit_vote {"choice":"A"} -> "counted"`).join('\n'),
    silent: true,
  },
  {
    name: 'silent: the writer takes over',
    trace: 'graph router -> writer\nnode router goto writer\nnode writer -> "text"',
    silent: true,
  },
  {
    name: 'silent: work between the handoffs',
    trace: `
repeat 2
  agent sales
  tool transfer_to_billing {} -> "ok"
  agent billing
  tool get_invoice {"n":"{n}"} -> "invoice {n}"
  tool transfer_to_sales {} -> "ok"
agent sales
llm gpt-4o -> "Two invoices."`,
    silent: true,
  },
  {
    name: 'silent: one agent asks twice',
    trace: 'agent a\ntool search {"q":"ferry times"} -> "six"\ntool search {"q":"ferry times"} -> "six"',
    silent: true,
  },
  {
    name: 'silent: the result has changed in between',
    trace: 'agent a\ntool get_status {"id":"order 7"} -> "open"\nagent b\ntool get_status {"id":"order 7"} -> "sent"',
    silent: true,
  },
  { name: 'not applicable without steps', trace: '', notApplicable: true },
  {
    name: 'subagent_work_repeated: the main agent does what the subagent could not',
    trace: `agent dev
llm m cost 0.3 -> "I delegate it."
tool Task {"description":"fix cart.ts","prompt":"Correct the sum in src/cart.ts"} -> "I was unable to edit the file: permission denied."
llm m -> "I do it myself."
tool Edit {"file_path":"src/cart.ts"} -> "ok"`,
    fires: [{ subtype: 'subagent_work_repeated', step: 1, severity: 'info' }],
  },
  {
    name: 'handoff_unanswered: a subagent of a coding agent answers its call',
    trace: `session {"endedBy":"completed"}
agent dev
tool Task {"subagent_type":"reviewer","prompt":"Review it"} -> "No findings."
agent reviewer
tool Read {"file_path":"a.ts"} -> "x"
agent dev
tool Task {"subagent_type":"reviewer","prompt":"Review it again"} -> "No findings."
llm m -> "Reviewed."`,
    silent: true,
  },
];

testDetector(coordination, rows, { readme: new URL('./README.md', import.meta.url) });
