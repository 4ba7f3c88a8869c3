import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { toolProvision } from './detector.ts';

const rows: DetectorRow[] = [
  {
    name: 'unknown_tool: rejected by the router',
    trace:
      'offers search {"type":"object"}\nagent clerk\ntool web_lookup {"q":"x"} !! ToolNotFoundError: unknown tool web_lookup\nllm gpt-4o -> "I answer from memory."',
    fires: [{ subtype: 'unknown_tool', step: 0, agent: 'clerk', severity: 'warning', text: 'web_lookup' }],
  },
  ...[
    'Error: web_lookup is not a valid tool, try one of [search].',
    'Tool "web_lookup" not found in agent clerk',
    'No such tool available: web_lookup',
    "Model tried to call unavailable tool 'web_lookup'. Available tools: search.",
    'Unknown function: web_lookup',
    'the tool `web_lookup` does not exist',
  ].map(
    (value): DetectorRow => ({
      name: `unknown_tool: ${value}`,
      trace: `agent clerk\ntool web_lookup {"q":"x"} !! ${value}\nllm gpt-4o -> "I answer from memory."`,
      fires: [{ subtype: 'unknown_tool', step: 0, text: 'web_lookup' }],
    }),
  ),
  {
    name: 'silent: a query names a function that does not exist, and the next query works',
    trace: `
agent clerk
tool sql {"query":"select rundung(2.5)"} !! ProgrammingError: function rundung does not exist
tool sql {"query":"select round(2.5)"} -> "3"
llm gpt-4o -> "The rounded value is 3."`,
    silent: true,
  },
  {
    name: 'silent: every query fails because of a function in it',
    trace: `
agent clerk
tool sql {"query":"select rundung(2.5)"} !! ProgrammingError: sql: function rundung does not exist
llm gpt-4o -> "The database has no such function."`,
    silent: true,
  },
  {
    name: 'silent: an error in the words of a missing tool, from a tool that works otherwise',
    trace: `
agent clerk
tool macro {"name":"macro"} !! unknown function macro
tool macro {"name":"sum"} -> "12"
llm gpt-4o -> "The sum is 12."`,
    silent: true,
  },
  {
    name: 'silent: a flow answers that it has no function of the name in the arguments',
    trace: `
agent clerk
tool run_flow {"flow":"night_shift"} -> "Error: unknown function night_shift"
llm gpt-4o -> "There is no flow night_shift."`,
    silent: true,
  },
  {
    name: 'unknown_tool: the calls of one turn were joined into one, and the results are no errors',
    trace: `
agent clerk
tool Read {"path":"a.md"} -> "a"
tool EditEditEdit "{\\"path\\":\\"a.md\\"}{\\"path\\":\\"b.md\\"}" -> "Unknown tool name: 'EditEditEdit'. Available tools: 'Read', 'ReadAll', 'LS', 'Edit'"
llm m -> "I try again."
tool LSReadAllRead "{\\"path\\":\\"\\"}{\\"paths\\":[]}" -> "Unknown tool name: 'LSReadAllRead'. Available tools: 'Read', 'ReadAll', 'LS', 'Edit'"`,
    fires: [
      {
        subtype: 'unknown_tool',
        step: 1,
        agent: 'clerk',
        severity: 'warning',
        text: 'At step 1 clerk called EditEditEdit, a tool that does not exist. This name is a sequence of names of other tools (Edit 3 times), so several calls of one turn were joined into one, which the runtime rejected (2 such calls in this run: steps 1 and 3): "Unknown tool name',
      },
    ],
  },
  {
    name: 'unknown_tool: joined calls of declared tools, and the agent made them one by one later',
    trace: `
offers search_web {"type":"object"}
offers fetch {"type":"object"}
agent clerk
tool search_webfetch {} !! unknown tool search_webfetch
tool search_web {"q":"x"} -> "y"
llm m -> "It is y."`,
    fires: [{ subtype: 'unknown_tool', step: 0, severity: 'info', text: '(search_web and fetch)' }],
  },
  {
    name: 'unknown_tool: joined calls of a tool that the run calls elsewhere',
    trace: `
agent clerk
tool fetch {"id":1} -> "y"
tool fetchfetch {"id":2} !! unknown tool fetchfetch
llm m -> "I could not fetch it."`,
    fires: [{ subtype: 'unknown_tool', step: 1, severity: 'warning', text: '(fetch 2 times)' }],
  },
  ...[
    ['the name only begins with the name of a tool', 'search_archive', '{"q":"x"}'],
    ['a remainder follows two names', 'searchfetch2', '{"q":"x"}'],
    ['the letters have another case', 'searchFetch', '{"q":"x"}'],
    ['different names, and the arguments of one call', 'fetchsearch', '{"q":"x"}'],
  ].map(
    ([why, name, args]): DetectorRow => ({
      name: `unknown_tool: no joined calls: ${why}`,
      trace: `offers search {"type":"object"}\noffers fetch {"type":"object"}\nagent clerk\ntool ${name} ${args} !! unknown tool ${name}\nllm m -> "I answer from memory."`,
      fires: [
        {
          subtype: 'unknown_tool',
          step: 0,
          severity: 'warning',
          text: `clerk called ${name} 1 time (first at step 0)`,
        },
      ],
    }),
  ),
  {
    name: 'silent: a document begins with words about a tool of the name',
    trace: `
agent clerk
tool search {"q":"lathe"} -> "search is not a tool of the workshop. Page 2: lathes"
llm m -> "The page lists lathes."`,
    silent: true,
  },
  {
    name: 'missing_tool: said twice',
    trace: `
agent clerk
llm gpt-4o -> "I don't have a tool to send faxes."
user "Please try."
llm gpt-4o -> "As I said, I do not have any tool for faxes."`,
    fires: [{ subtype: 'missing_tool', step: 0, severity: 'info' }],
  },
  {
    name: 'call_written_as_text: and never made',
    trace:
      'offers send_mail {"type":"object"}\nagent clerk\nllm gpt-4o -> "<function=send_mail>{\\"to\\":\\"ann\\"}</function>"',
    fires: [{ subtype: 'call_written_as_text', step: 0, severity: 'warning', text: 'send_mail' }],
  },
  {
    name: 'silent: the answer is the JSON of a call that the run made',
    trace:
      'user "Show me the JSON of a call of search."\nagent clerk\ntool search {"q":"x"} -> "[]"\nllm gpt-4o -> "{\\"name\\": \\"search\\", \\"arguments\\": {\\"q\\": \\"x\\"}}"',
    silent: true,
  },
  {
    name: 'call_written_as_text: JSON of a call with other arguments than the one that was made',
    trace:
      'agent clerk\ntool search {"q":"x"} -> "[]"\nllm gpt-4o -> "{\\"name\\": \\"search\\", \\"arguments\\": {\\"q\\": \\"y\\"}}"',
    fires: [{ subtype: 'call_written_as_text', step: 1, text: 'search was not carried out' }],
  },
  {
    name: 'call_written_as_text: three times, below the work of others',
    trace: [
      'agent clerk\ntool run_query {"q":"SELECT 1"} -> [1]',
      ...[2, 3, 4].map(
        (n) => `agent clerk${n}\nllm llama -> "<function=run_query>{\\"q\\":\\"SELECT ${n}\\"}</function>\\n"`,
      ),
      'agent lead\nllm llama -> "All results are in."',
    ].join('\n'),
    fires: [
      {
        subtype: 'call_written_as_text',
        step: 1,
        severity: 'warning',
        text: '(3 such messages in this run: steps 1, 2 and 3)',
      },
    ],
  },
  ...[
    '[TOOL_CALLS][{"name": "send_mail", "arguments": {"to": "ann"}}]</s>',
    '[TOOL_CALLS]send_mail{"to": "ann"}',
    '<|python_tag|>send_mail.call(to="ann")<|eom_id|>',
    '<|python_tag|>{"name": "send_mail", "parameters": {"to": "ann"}}',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>send_mail\n```json\n{"to":"ann"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.send_mail:0<|tool_call_argument_begin|>{"to":"ann"}<|tool_call_end|><|tool_calls_section_end|>',
    '<|channel|>commentary to=functions.send_mail <|constrain|>json<|message|>{"to":"ann"}<|call|>',
  ].map((text) => ({
    name: `call_written_as_text: control tokens, of a tool that nothing declares: ${text.slice(0, 24)}`,
    trace: `agent clerk\ntool get_date -> "2026-11-27"\nllm m -> ${JSON.stringify(text)}`,
    fires: [{ subtype: 'call_written_as_text', step: 1, severity: 'warning' as const, text: 'a call of send_mail' }],
  })),
  {
    name: 'silent: control tokens around an answer',
    trace: 'agent clerk\ntool get_date -> "2026-11-27"\nllm m -> "<|channel|>final<|message|>It is Friday."',
    silent: true,
  },
  {
    name: 'call_written_as_text: once, and the run continued',
    trace:
      'offers send_mail {"type":"object"}\nagent clerk\nllm gpt-4o -> "<function=send_mail>{\\"to\\":\\"ann\\"}</function>"\nllm gpt-4o -> "The letter is a draft."',
    fires: [{ subtype: 'call_written_as_text', step: 0, severity: 'info' }],
  },
  {
    name: 'silent: a text about calls',
    trace:
      'offers send_mail {"type":"object"}\nagent clerk\nllm gpt-4o -> "<function=send_mail>{}</function> is how the old model called the tool. The new one uses native calls."',
    silent: true,
  },
  ...[
    'Thought: I book it.\nAction: book_seat\nAction Input: {"train": 7}\nObservation: {"seat": "12 is booked"}\nThought: done\nFinal Answer: You have seat 12.',
    'Action: book_seat[7]\nObservation: seat 12 is booked',
    '**Action:** book_seat\n**Action Input:** {"train": 7}\n**Observation:** seat 12 is booked',
    '行动：book_seat\n行动输入：{"train": 7}\n观察：seat 12 is booked\n最终答案：座位 12',
    'Acción: book_seat(7)\nObservación: seat 12 is booked',
    '<tool_call>{"name": "book_seat", "arguments": {"train": 7}}</tool_call>\n<tool_response>\nseat 12 is booked\n</tool_response>\nYou have seat 12.',
    '<function_calls><invoke name="book_seat"><parameter name="train">7</parameter></invoke></function_calls><function_results>seat 12 is booked</function_results>',
  ].map((text) => ({
    name: `result_written_as_text: ${text.slice(0, 30).replaceAll('\n', ' ')}`,
    trace: `agent clerk\ntool search_trains -> "3 trains"\nllm m -> ${JSON.stringify(text)}`,
    fires: [{ subtype: 'result_written_as_text', step: 1, severity: 'warning' as const, text: '12 is booked' }],
  })),
  {
    name: 'result_written_as_text: nothing shows that calls are recorded',
    trace: 'agent clerk\nllm m -> "Action: book_seat[7]\\nObservation: seat 12 is booked"',
    fires: [{ subtype: 'result_written_as_text', step: 0, severity: 'info' }],
  },
  {
    name: 'result_written_as_text: a model call with token counts',
    trace: 'agent clerk\nllm m 70/9 -> "Action: book_seat[7]\\nObservation: seat 12 is booked"',
    fires: [{ subtype: 'result_written_as_text', step: 0, severity: 'warning' }],
  },
  {
    name: 'silent: a program made the call that an answer with a result contains',
    trace:
      'agent clerk\nllm m 70/9 -> "Action: book_seat[7]\\nObservation: seat 12 is booked"\ntool book_seat {"train":7} -> "seat 14"\nllm m 70/9 -> "You have seat 14."',
    silent: true,
  },
  {
    name: 'silent: an answer repeats a result that a tool returned',
    trace:
      'agent clerk\ntool book_seat {"train":7} -> "seat 12 is booked"\nllm m 70/9 -> "Action: note[7]\\nObservation: Seat 12 is booked.\\nFinal Answer: You have seat 12."',
    silent: true,
  },
  {
    name: 'silent: a report with an observation and no call',
    trace:
      'agent clerk\ntool search_trains -> "3 trains"\nllm m -> "Action: none was needed here.\\nObservation: the trains run late.\\nAction items: none"',
    silent: true,
  },
  {
    name: 'claimed_tool_use',
    trace:
      'offers run_query {"type":"object"}\nagent clerk\nllm gpt-4o -> "I used the run_query tool and found 12 rows."',
    fires: [{ subtype: 'claimed_tool_use', step: 0, severity: 'warning', text: 'run_query' }],
  },
  {
    name: 'silent: a missing record is not a missing tool',
    trace: 'agent clerk\ntool get_order {"id":7} !! order 7 not found\nllm gpt-4o -> "There is no order 7."',
    silent: true,
  },
  {
    name: 'silent: said once',
    trace: 'agent clerk\nllm gpt-4o -> "I don\'t have a tool to send faxes."',
    silent: true,
  },
  {
    name: 'silent: a written call that the framework carried out',
    trace:
      'agent clerk\nllm llama -> "<function=send_mail>{}</function>"\ntool send_mail {} -> "sent"\nllm llama -> "Sent."',
    silent: true,
  },
  {
    name: 'silent: a claim that is true',
    trace:
      'offers run_query {"type":"object"}\nagent clerk\ntool run_query {"q":"x"} -> [1]\nllm gpt-4o -> "I used the run_query tool."',
    silent: true,
  },
  { name: 'not applicable without text', trace: 'span run', notApplicable: true },
];

testDetector(toolProvision, rows, { readme: new URL('./README.md', import.meta.url) });
