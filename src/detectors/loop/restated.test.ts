import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace, type TraceDraft } from '../_testing/trace-draft.ts';
import { loop } from './detector.ts';

const PLAN =
  'The leak is most likely at the valve behind the second pump. I suggest that we replace the seal there, refill the pipe and measure the pressure after an hour.';
const messageOf = (text: string) => `llm m -> ${JSON.stringify(text)}`;
const agent = (...lines: string[]) => ['agent fitter', ...lines].join('\n');

/** One answer to each of several questions, as a map over items gives them; in parallel or in sequence. */
function mapped(questions: readonly string[], isParallel: boolean) {
  const draft = emptyDraft();
  for (const content of questions)
    addStep(draft, {
      kind: 'llm',
      agent: 'fitter',
      output: `${PLAN} (${draft.steps.length})`,
      inputMessages: [{ role: 'user', name: null, content, toolCalls: [], toolCallId: null }],
      ...(isParallel ? { durationMs: 60_000 } : {}),
    });
  return finishTrace(draft);
}

/** A short answer to inputs, one after the other. */
function converted(inputs: readonly string[], answer = '{ "valves": [], "pumps": [] }') {
  const draft = emptyDraft();
  for (const content of inputs)
    addStep(draft, {
      kind: 'llm',
      agent: 'clerk',
      output: answer,
      inputMessages: [{ role: 'user', name: null, content, toolCalls: [], toolCallId: null }],
    });
  return finishTrace(draft);
}

/** A chat whose questions are only in the histories of the model calls, as in spans of model calls. */
function chat(questions: readonly string[], answer: string) {
  const draft = emptyDraft();
  const said = (role: string, content: string) => ({ role, name: null, content, toolCalls: [], toolCallId: null });
  const history: ReturnType<typeof said>[] = [];
  for (const question of questions) {
    history.push(said('user', question));
    addStep(draft, { kind: 'llm', agent: 'fitter', output: answer, inputMessages: [...history] });
    history.push(said('assistant', answer));
  }
  return finishTrace(draft);
}

/** An agent is asked four times about a text and gives the same answer. */
function addLists(draft: TraceDraft, text: string) {
  for (let round = 0; round < 4; round += 1)
    addStep(draft, {
      kind: 'llm',
      agent: 'clerk',
      output: '{ "valves": [], "pumps": [] }',
      inputMessages: [
        { role: 'user', name: null, content: `List the parts: ${text}`, toolCalls: [], toolCallId: null },
      ],
    });
}

/** One agent writes, and another one is asked about it four times. */
function handedOn(text: string) {
  const draft = emptyDraft();
  addStep(draft, { kind: 'llm', agent: 'surveyor', output: text });
  addLists(draft, text);
  return finishTrace(draft);
}

/** Rounds in which one agent writes, another one lists the parts four times, and the workflow does not accept the list. */
function rejected(rounds: number, last = '') {
  const draft = emptyDraft();
  for (let round = 0; round < rounds; round += 1) {
    const text = `I would look at the valve behind pump ${round}.`;
    addStep(draft, { kind: 'llm', agent: 'surveyor', output: text });
    addLists(draft, text);
    addStep(draft, { kind: 'message', name: 'message', agent: 'workflow', output: 'The list is not valid.' });
  }
  if (last === '') return finishTrace(draft);
  addStep(draft, { kind: 'llm', agent: 'clerk', output: last });
  addStep(draft, { kind: 'message', name: 'message', agent: 'workflow', output: 'The list is not valid.' });
  return finishTrace(draft);
}

/** The same, with one other list and a last message of the workflow. */
function rejectedOnce(closing = 'No part was named.') {
  const draft = emptyDraft();
  const reply = () =>
    addStep(draft, { kind: 'message', name: 'message', agent: 'workflow', output: 'The list is not valid.' });
  for (const pump of [1, 2]) {
    const text = `I would look at the valve behind pump ${pump}.`;
    addStep(draft, { kind: 'llm', agent: 'surveyor', output: text });
    addLists(draft, text);
    reply();
  }
  addStep(draft, { kind: 'llm', agent: 'surveyor', output: 'It is the valve of pump 3.' });
  addStep(draft, { kind: 'llm', agent: 'clerk', output: '{ "parts": ["third"] }' });
  reply();
  addStep(draft, { kind: 'message', name: 'message', agent: 'workflow', output: closing });
  return finishTrace(draft);
}

const OBJECTION = 'I have no objection to this plan, please go on with it.';
/** Three rounds of a discussion. One side gives nearly the same text, the other one the same. */
const discussed = ['Agreed.', 'Agreed, again.', 'Agreed, as before.']
  .map((end) => `agent fitter\n${messageOf(`${PLAN} ${end}`)}\nagent guide\n${messageOf(OBJECTION)}`)
  .join('\n');

/** Several answers of one agent to one input, and then a step of another agent. */
function sampled(asked: string, answers = 5, own = 'solver') {
  const draft = emptyDraft();
  const ask = (agent: string, content: string, output: string) => {
    const inputMessages = [{ role: 'user' as const, name: null, content, toolCalls: [], toolCallId: null }];
    const parent = addStep(draft, { kind: 'agent', name: agent, agent });
    addStep(draft, { kind: 'llm', agent, parent, output, inputMessages });
  };
  for (let at = 0; at < answers; at += 1) ask(own, 'Where is the leak?', PLAN);
  ask('writer', asked, 'The valve behind the second pump.');
  return finishTrace(draft);
}

/** Agents that keep their positions over four rounds, each turn inside its own span. */
function debated() {
  const draft = emptyDraft();
  const root = addStep(draft, { kind: 'chain', name: 'debate' });
  for (let round = 0; round < 5; round += 1)
    for (const agent of ['pro', 'con']) {
      const parent = addStep(draft, { kind: 'agent', name: agent, agent, parent: root });
      addStep(draft, { kind: 'llm', agent, parent, output: `${agent}: ${PLAN}` });
    }
  return finishTrace(draft);
}

const rows: DetectorRow[] = [
  { name: 'silent: samples of one prompt before a vote', trace: sampled('Take a majority vote.'), silent: true },
  {
    name: 'silent: samples that the next step gets',
    trace: sampled(`Which answer is best?\n1. ${PLAN}\n2. ${PLAN}\n3. ${PLAN}`),
    silent: true,
  },
  {
    name: 'restated: equal answers before a step that does not compare them',
    trace: sampled('Write the report.'),
    fires: [{ subtype: 'restated' }],
  },
  {
    name: 'cyclic: agents that keep their positions are one detection',
    trace: debated(),
    fires: [{ subtype: 'cyclic' }],
  },
  {
    name: 'restated: a short record to the same input, four times in a row',
    trace: converted(['a report', 'a report', 'a report', 'a report']),
    fires: [{ subtype: 'restated', step: 1, agent: 'clerk', text: 'the same answer 4 times to the same input' }],
  },
  {
    name: 'restated: the input contains the answer of another agent, with which the series begins',
    trace: handedOn('I would look at the valve behind the second pump.'),
    fires: [
      {
        subtype: 'restated',
        step: 0,
        agent: 'surveyor',
        text: 'The input contains the answer of surveyor at step 0',
        suggestion: 'Send the answer of step 0 back to surveyor',
      },
    ],
  },
  {
    name: 'restated: several rounds of answers, each followed by the same message',
    trace: rejected(3),
    fires: [
      {
        subtype: 'restated',
        step: 0,
        agent: 'surveyor',
        severity: 'warning',
        text: 'The same message follows 3 rounds of answers of clerk (steps 5, 11 and 17): "The list is not valid". The first round begins at step 1. The fields "valves" and "pumps" are empty in the answers of all 3 rounds. clerk gave',
        impact: '3 rounds of model calls ended with the same message.',
        suggestion:
          'Let the check that returns "The list is not valid." say which part of the answer of clerk ("{ "valves": [], "pumps": [] }") it does not accept and why, send that to surveyor, and end the run after the second equal message: it came 3 times.',
      },
    ],
  },
  {
    name: 'restated: a field that one of the rejected answers fills is not named as empty',
    trace: rejected(3, '{ "valves": ["left"], "pumps": [] }'),
    fires: [
      { subtype: 'restated', text: 'The field "pumps" is empty in the answers of all 4 rounds.' },
      { subtype: 'same_verdict' },
    ],
  },
  {
    name: 'restated: the same message follows another answer, and the run ends with a message of its sender',
    trace: rejectedOnce(),
    fires: [
      {
        subtype: 'restated',
        severity: 'warning',
        text: 'The first round begins at step 1. It also follows another answer (step 13), "{ "parts": ["third"] }". clerk gave the same answer 4 times to the same input (steps 1, 2, 3 and 4): "{ "valves": [], "pumps": [] }". In between no call returned anything new and the user said nothing new. The input contains the answer of surveyor at step 0. The run ended at step 15 with a message of workflow: "No part was named".',
      },
    ],
  },
  {
    name: 'restated: the run ends on a rejection',
    trace: rejectedOnce('The list could not be applied.'),
    fires: [
      {
        subtype: 'restated',
        severity: 'critical',
        impact:
          '3 rounds of model calls ended with the same message. The last answer of the run was rejected: the task is not done.',
      },
    ],
  },
  {
    name: 'restated: info in a discussion of equal texts that a judge ends',
    trace: `${discussed}\nagent judge\nllm m -> "Both sides propose the same seal: replace it today and measure tomorrow."`,
    fires: [{ subtype: 'restated', severity: 'info' }, { subtype: 'same_verdict' }],
  },
  {
    name: 'restated: a discussion of equal texts that nothing ends',
    trace: discussed,
    fires: [{ subtype: 'restated', severity: 'warning', agent: 'fitter' }, { subtype: 'same_verdict' }],
  },
  { name: 'silent: three times is a retry', trace: converted(['a report', 'a report', 'a report']), silent: true },
  { name: 'silent: the same record for different inputs', trace: converted(['a', 'b', 'c', 'd', 'e']), silent: true },
  { name: 'silent: a vote of one word', trace: converted(['a', 'a', 'a', 'a', 'a'], 'valve'), silent: true },
  {
    name: 'restated: the same plan three times, with a prompt in between',
    trace: agent(
      messageOf(PLAN),
      'message guide "Is this all?"',
      messageOf(PLAN),
      'message guide "Really?"',
      messageOf(`${PLAN} Agreed.`),
    ),
    fires: [
      { subtype: 'restated', step: 2, agent: 'fitter', severity: 'warning', text: 'nearly the same answer 3 times' },
    ],
  },
  {
    name: 'restated: word for word, in another script',
    trace: agent(
      ...Array.from({ length: 3 }, (_, nth) => [
        messageOf(
          'Протечка скорее всего у клапана за вторым насосом. Я предлагаю заменить там прокладку, снова заполнить трубу и через час измерить давление ещё раз.',
        ),
        `message guide "nudge ${nth}"`,
      ]).flat(),
    ),
    fires: [{ subtype: 'restated', step: 2, agent: 'fitter', text: 'gave the same answer 3 times' }],
  },
  {
    name: 'silent: a call brought a new result in between',
    trace: agent(
      messageOf(PLAN),
      'tool gauge {"pipe":1} -> "2 bar"',
      'message guide "And now?"',
      messageOf(PLAN),
      'tool gauge {"pipe":1} -> "3 bar"',
      'message guide "And now?"',
      messageOf(PLAN),
    ),
    silent: true,
  },
  {
    name: 'silent: the same short answer to a question that the user asks again',
    trace: chat(
      Array.from({ length: 6 }, () => 'Is the pump there now?'),
      'It is not there yet.',
    ),
    silent: true,
  },
  {
    name: 'silent: the user said something new',
    trace: agent(
      messageOf(PLAN),
      'user "It drips at the first pump too."',
      messageOf(`${PLAN} Twice.`),
      'user "And the cellar is wet."',
      messageOf(`${PLAN} There too.`),
    ),
    silent: true,
  },
  {
    name: 'silent: each answer changes its proposal',
    trace: agent(
      messageOf(PLAN),
      'message guide "No."',
      messageOf(
        'Then I think of the joint under the boiler, whose screws are loose: tighten them, dry the floor and wait until the evening for a drop.',
      ),
      'message guide "No."',
      messageOf(
        'The third place is the window: rain runs down the wall there, so seal the frame outside and look at it after the next storm again.',
      ),
    ),
    silent: true,
  },
  { name: 'silent: one answer to different questions', trace: mapped(['hall', 'cellar', 'roof'], false), silent: true },
  { name: 'silent: parallel answers', trace: mapped(['hall', 'hall', 'hall'], true), silent: true },
  {
    name: 'silent: short approvals',
    trace: agent(
      messageOf('Approved, go on.'),
      'message guide "two"',
      messageOf('Approved, go on.'),
      'message guide "three"',
      messageOf('Approved, go on.'),
    ),
    silent: true,
  },
];

testDetector(loop, rows);
