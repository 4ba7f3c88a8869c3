import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { outputValidation } from './detector.ts';

const SCHEMA =
  '{"type":"object","properties":{"day":{"type":"string","enum":["mon","tue"]},"seats":{"type":"integer"}},"required":["day"]}';
const booked = (args: string) => `offers book ${SCHEMA}\nagent clerk\ntool book ${args} -> "ok"`;
const RUDE = 'Get lost, the shop is closed.';
/** An answer, a check of it, and what was said after the check. */
const checked = (output: string, ...later: string[]) => {
  const check = { kind: 'guardrail', name: 'tone_check', input: JSON.stringify({ text: RUDE }), output } as const;
  const builder = new TraceBuilder().agent('writer').user('When is the shop open?').llm(RUDE).step(check);
  for (const text of later) builder.llm(text);
  return builder.build();
};
/** A check of what the user wrote, before anything was answered. */
const screened = (answer: string) =>
  new TraceBuilder()
    .agent('writer')
    .user('Write me a poem about ministers.')
    .step({
      kind: 'guardrail',
      name: 'topic_check',
      input: 'Write me a poem about ministers.',
      output: '{"passed":false}',
    })
    .llm(answer)
    .build();

/** Two solutions shown to one reviewer, with what it said of each. */
function review(solutions: [string, string], verdicts: [string, string]): string {
  const turns = solutions.map((solution, at) => {
    const shown = JSON.stringify(`Here is a solution: ${solution} Please say whether it is right.`);
    return `user ${shown}\nllm gpt-4o -> ${JSON.stringify(verdicts[at])}`;
  });
  return ['agent reviewer', ...turns].join('\n');
}

const [FIRST, SECOND] = [
  'eight boxes of five pears and two more give \\boxed{42}.',
  'eight boxes of five pears give \\boxed{40}.',
];

/** A chat whose code returns an output, and the answer after it. */
const computed = (output: string, answer: string) =>
  [
    'task "How many herons nest at the pond?"',
    'agent solver',
    'llm gpt-4o -> "Let me compute it.\\n```python\\nprint(herons())\\n```"',
    `message runner ${JSON.stringify(output)}`,
    'agent solver',
    `llm gpt-4o -> ${JSON.stringify(answer)}`,
  ].join('\n');

const rows: DetectorRow[] = [
  {
    name: 'other_result: the code returned another number',
    trace: computed('exitcode: 0 (execution succeeded)\nCode output: 27.0', 'Some left. Final answer: 16'),
    fires: [
      {
        subtype: 'other_result',
        step: 2,
        agent: 'solver',
        severity: 'warning',
        text: 'At step 2 solver gave 16 as the final answer. The last number that code returned is in "Code output: 27.0" (step 1). No run of code returned 16',
        fix: 'Check the final number against the code',
      },
    ],
  },
  {
    name: 'other_result: a tool ran the code',
    trace:
      'task "How many herons nest at the pond?"\nagent solver\ntool python {"code":"print(herons())"} -> "27"\nllm gpt-4o -> "Final answer: 16"',
    fires: [{ subtype: 'other_result', step: 1 }],
  },
  ...[
    ['the same number', '16.0', 'Final answer: 16'],
    ['a rounded number', '40/9', 'Final answer: 5'],
    ['a percentage', '0.16', 'Final answer: 16%'],
    ['a fraction', '333/2', 'Final answer: 166.50'],
    ['a sum of two results', 'Red: 10, blue: 6', 'Final answer: 16'],
    ['the other sign', 'Difference: -16', 'Final answer: 16'],
    ['the code failed', 'Traceback (most recent call last)\n  line 27\nNameError: herons', 'Final answer: 16'],
    ['no number was returned', 'done', 'Final answer: 16'],
    ['the answer is no number', '27', 'Final answer: many'],
    ['a table of data', Array.from({ length: 60 }, (_, at) => at * 1000).join(' '), 'Final answer: 16'],
  ].map(
    ([name, output, answer]): DetectorRow => ({
      name: `silent: other_result: ${name}`,
      trace: computed(`exitcode: 0 (execution succeeded)\nCode output: ${output}`, answer!),
      silent: true,
    }),
  ),
  ...[
    ['a list', 'How many solutions has x^2 = 49?', '[-7, 7]', 'There are two. \\boxed{2}'],
    ['a list of pairs', 'Wie viele Paare gibt es?', '[(1, 9), (2, 8), (4, 6)]', 'Final answer: 3'],
    ['lines', 'Count the nests above 20.', '31\n44\n58\n29', 'Final answer: 4'],
  ].map(
    ([name, question, output, answer]): DetectorRow => ({
      name: `silent: other_result: the number of the results in ${name}`,
      trace: `task ${JSON.stringify(question)}\nagent solver\ntool python {"code":"print(solve())"} -> ${JSON.stringify(output)}\nllm gpt-4o -> ${JSON.stringify(answer)}`,
      silent: true,
    }),
  ),
  {
    name: 'other_result: the number of the results, although the question is about a result',
    trace:
      'task "What is the larger root of x^2 = 49?"\nagent solver\ntool python {"code":"print(solve())"} -> "[-7, 7]"\nllm gpt-4o -> "Final answer: 2"',
    fires: [{ subtype: 'other_result', step: 1 }],
  },
  {
    name: 'other_result: a number of results that the list does not have',
    trace:
      'task "How many solutions has the equation?"\nagent solver\ntool python {"code":"print(solve())"} -> "[-70, 70]"\nllm gpt-4o -> "Final answer: 5"',
    fires: [{ subtype: 'other_result', step: 1 }],
  },
  {
    name: 'not_json',
    trace:
      'task "List the ports. Respond with JSON only."\nagent guide\nllm gpt-4o -> "There are three ports: Kiel, Genoa and Bergen."',
    fires: [{ subtype: 'not_json', step: 0, agent: 'guide', severity: 'warning' }],
  },
  {
    name: 'not_json: JSON within prose is info',
    trace:
      'task "List the ports. Respond with JSON only."\nagent guide\nllm gpt-4o -> "Here you are: [\\"Kiel\\"] as asked."',
    fires: [{ subtype: 'not_json', severity: 'info' }],
  },
  {
    name: 'broken_json: cut off',
    trace: 'agent guide\nllm gpt-4o finish length -> "{\\"ports\\": [\\"Kiel\\", \\"Gen"',
    fires: [{ subtype: 'broken_json', severity: 'warning', text: 'cut off' }],
  },
  {
    name: 'broken_json: requested, begun and not closed',
    trace:
      'task "List the ports. Respond with JSON only."\nagent guide\nllm gpt-4o -> "{\\"ports\\": [\\"Kiel\\", \\"Genoa\\""',
    fires: [{ subtype: 'broken_json', step: 0, severity: 'warning', text: 'it ends inside a list' }],
  },
  {
    name: 'broken_json: closed, with an extra comma',
    trace: 'agent guide\nllm gpt-4o -> "{\\"ports\\": [\\"Kiel\\", ] }"',
    fires: [{ subtype: 'broken_json', text: 'its syntax is wrong' }],
  },
  {
    name: 'silent: an issue about JSON',
    trace:
      'task "The endpoint should return valid JSON when the list is empty, but the JSONField answers with an empty body. Why?"\nagent guide\nllm gpt-4o -> "The serializer returns None for an empty list; let it return an empty list."',
    silent: true,
  },
  {
    name: 'silent: an issue about JSON that an agent corrects in the code',
    trace:
      'task "Please return valid JSON only from the endpoint of ports, not plain text."\nagent dev\ntool edit_file {"path":"src/ports.py","new":"return json.dumps(ports)"} -> "ok"\nllm gpt-4o -> "The endpoint of ports now uses json.dumps."',
    silent: true,
  },
  {
    name: 'not_a_number: in German',
    trace: 'task "Wie viele Häfen? Antworte nur mit der Zahl."\nagent guide\nllm gpt-4o -> "Es sind einige Häfen."',
    fires: [{ subtype: 'not_a_number' }],
  },
  {
    name: 'arguments_off_schema: a required one is missing, and the call fails',
    trace: `offers book ${SCHEMA}\nagent clerk\ntool book {"seats":2} !! ValidationError: field required`,
    fires: [
      { subtype: 'arguments_off_schema', step: 0, severity: 'warning', text: 'day is missing. The call failed.' },
    ],
  },
  {
    name: 'arguments_off_schema: the tool accepts the call without it',
    trace: booked('{"seats":2}'),
    fires: [{ subtype: 'arguments_off_schema', step: 0, severity: 'info', text: 'The tool accepted it.' }],
  },
  {
    name: 'arguments_off_schema: a value outside the enum',
    trace: booked('{"day":"sunday"}'),
    fires: [{ subtype: 'arguments_off_schema', text: 'not one of' }],
  },
  {
    name: 'wrong_sum: used by the next agent',
    trace:
      'agent a\nllm gpt-4o -> "In all that is 120 + 34 - 4 = 140 seats."\nagent b\nllm gpt-4o -> "So we book 140 seats."',
    fires: [{ subtype: 'wrong_sum', step: 0, agent: 'a', severity: 'warning', text: 'which is 150' }],
  },
  {
    name: 'contrary_approvals: both called correct',
    trace: review([FIRST!, SECOND!], ['The answer is correct.', 'This reasoning is correct, too.']),
    fires: [{ subtype: 'contrary_approvals', step: 3, agent: 'reviewer', severity: 'warning', text: '42' }],
  },
  {
    name: 'silent: one of two answers is rejected',
    trace: review([FIRST!, SECOND!], ['The answer is correct.', 'This is incorrect: two pears are missing.']),
    silent: true,
  },
  {
    name: 'silent: two problems have two answers',
    trace: review(
      [FIRST!, 'the train leaves at noon and needs three hours, so it is there at \\boxed{15}.'],
      ['The answer is correct.', 'The answer is correct.'],
    ),
    silent: true,
  },
  {
    name: 'silent: the sum is corrected',
    trace: 'agent a\nllm gpt-4o -> "120 + 34 = 164 seats."\nagent b\nllm gpt-4o -> "No, it makes 154 seats."',
    silent: true,
  },
  {
    name: 'silent: correct sums, rounded sums, parts of longer terms, and sums in code',
    trace: `agent a
llm gpt-4o -> "1,200 + 34 = 1234 and 2 + 3 * 4 = 14, 0.1 + 0.25 = 0.4, (3 + 4) * 2 + 1 = 15, 5 / 2 + 1 = 3.5"
llm gpt-4o -> "1234 and 14 and 0.4 and 15 and 3.5"`,
    silent: true,
  },
  {
    name: 'silent: an extra argument that the tool accepted',
    trace: booked('{"day":"mon","seats":2,"places":2}'),
    silent: true,
  },
  {
    name: 'failed_check_ignored: the rejected answer is sent',
    trace: checked('{"passed":false,"why":"rude"}'),
    fires: [{ subtype: 'failed_check_ignored', step: 2, severity: 'critical', text: 'tone_check' }],
  },
  {
    name: 'failed_check_ignored: the same words again',
    trace: checked('{"passed":false,"why":"rude"}', RUDE),
    fires: [{ subtype: 'failed_check_ignored', step: 2, severity: 'critical' }],
  },
  { name: 'silent: a check that passed', trace: checked('{"passed":true}'), silent: true },
  {
    name: 'silent: another answer after the check',
    trace: checked('{"passed":false}', 'We open at nine.'),
    silent: true,
  },
  {
    name: 'silent: the answer was withheld, in Polish',
    trace: checked('{"passed":false}', 'Nie mogę na to odpowiedzieć.'),
    silent: true,
  },
  {
    name: 'silent: a topic is declined after a check of the input',
    trace: screened('I only speak about trains.'),
    silent: true,
  },
  { name: 'silent: a topic is declined in Polish', trace: screened('Rozmawiam tylko o pociągach.'), silent: true },
  {
    name: 'silent: a check of the input of the second turn, which a fixed text answers',
    trace: new TraceBuilder()
      .agent('writer')
      .user('When does the train leave?')
      .llm('It leaves at nine.')
      .user('Write me a poem about ministers.')
      .step({ kind: 'guardrail', name: 'topic_check', output: '{"passed":false}' })
      .build(),
    silent: true,
  },
  {
    name: 'silent: JSON in a fence',
    trace: 'task "Respond with JSON only."\nagent guide\nllm gpt-4o -> "```json\\n{\\"ports\\": 3}\\n```"',
    silent: true,
  },
  {
    name: 'silent: a task about JSON files',
    trace: 'task "Explain what a JSON file is."\nagent guide\nllm gpt-4o -> "A text format for data."',
    silent: true,
  },
  { name: 'silent: a number sent as text', trace: booked('{"day":"mon","seats":"2"}'), silent: true },
  {
    name: 'silent: a question to the user',
    trace: 'task "Answer with a number only."\nagent guide\nllm gpt-4o -> "Which year do you mean?"',
    silent: true,
  },
  { name: 'not applicable without steps', trace: '', notApplicable: true },
];

testDetector(outputValidation, rows, { readme: new URL('./README.md', import.meta.url) });
