import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import type { Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { messageStep } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { completion } from './detector.ts';

const PROMPT = 'Weiter bitte, bis die Tabelle der Gezeiten vollständig ist.';

/** A proxy that sends the same prompt after each turn of a solver. */
function prompted(turns: number, end: 'prompt' | 'answer'): Trace {
  const chat = new TraceBuilder().repeat(turns, (run, round) =>
    run
      .agent('proxy')
      .step(messageStep('proxy', 'assistant', PROMPT))
      .agent('solver')
      .llm(`Zeile ${round} steht.`),
  );
  return (end === 'answer' ? chat : chat.agent('proxy').step(messageStep('proxy', 'assistant', PROMPT))).build();
}

/** A checker that answers each plan of a solver. */
function checked(replies: readonly string[], closing = ''): Trace {
  const chat = new TraceBuilder().agent('checker').step(messageStep('checker', 'assistant', 'Write the timetable.'));
  for (const [at, reply] of replies.entries())
    chat
      .agent('solver')
      .llm(`Timetable ${at}`)
      .agent('checker')
      .step(messageStep('checker', 'assistant', reply));
  return (closing === '' ? chat : chat.agent('solver').llm(closing)).build();
}

const REJECTIONS = [
  'The timetable could not be loaded. Two ferries share a berth.',
  'The timetable could not be loaded. No berth is named.',
  'The timetable could not be loaded. No berth is named.',
];

/** Model calls of one run; an empty text is an answer that was recorded without one. */
function answers(texts: readonly string[], last: 'end' | 'call' = 'end', finish = 'stop'): Trace {
  const draft = emptyDraft();
  for (const content of texts)
    addStep(draft, {
      kind: 'llm',
      agent: 'guide',
      model: 'm',
      output: content,
      finishReasons: [finish],
      outputMessages: [{ role: 'assistant', name: null, content, toolCalls: [], toolCallId: null }],
    });
  if (last === 'call')
    addStep(draft, {
      kind: 'tool',
      agent: 'guide',
      tool: { id: null, name: 'post_letter', arguments: { to: 'port' }, result: 'posted' },
    });
  return finishTrace(draft);
}

const QUESTION = 'What is the height of the next tide?';

/** A question, a call, its result, and an empty answer. */
function questioned({
  question = QUESTION,
  tool = 'tides',
  result = { metres: '3.41' } as Json,
  isCallRecorded = true,
  finish = 'stop',
} = {}): Trace {
  const draft = emptyDraft();
  const root = addStep(draft, { kind: 'agent', agent: 'guide', input: question });
  const call = { id: 'c', name: tool, arguments: { port: 'Savona' }, result: null };
  const answer = (toolCalls: (typeof call)[], reason: string) =>
    addStep(draft, {
      kind: 'llm',
      agent: 'guide',
      parent: root,
      finishReasons: [reason],
      inputMessages: [{ role: 'user', name: null, content: question, toolCalls: [], toolCallId: null }],
      outputMessages: [{ role: 'assistant', name: null, content: '', toolCalls, toolCallId: null }],
    });
  answer(isCallRecorded ? [call] : [], 'tool_calls');
  addStep(draft, { kind: 'tool', agent: 'guide', parent: root, tool: { ...call, result } });
  answer([], finish);
  return { ...finishTrace(draft), task: question };
}

/** Messages as a chat API records them: the first one is the parent of the others. */
function emptyConversation(question: string, instructions = 'You answer.'): Trace {
  const draft = emptyDraft();
  const say = (kind: 'message' | 'llm', role: string, content: string, parent: number | null) =>
    addStep(draft, {
      kind,
      agent: kind === 'llm' ? 'guide' : null,
      name: role,
      parent,
      output: content,
      outputMessages: [{ role, name: null, content, toolCalls: [], toolCallId: null }],
    });
  const root = say('message', 'system', instructions, null);
  say('message', 'user', question, root);
  say('llm', 'assistant', '', root);
  return { ...finishTrace(draft), task: question };
}

/** A director asks a sub-agent, whose model says nothing; the call may still return a text. */
function asked(result: string): Trace {
  const draft = emptyDraft();
  const say = (agent: string, content: string, parent: number | null) =>
    addStep(draft, {
      kind: 'llm',
      agent,
      parent,
      output: content,
      finishReasons: ['stop'],
      outputMessages: [{ role: 'assistant', name: null, content, toolCalls: [], toolCallId: null }],
    });
  say('director', 'I ask the keeper of the reef.', null);
  const call = addStep(draft, {
    kind: 'tool',
    agent: 'director',
    output: result,
    tool: { id: null, name: 'ask_keeper', arguments: { tank: 'reef' }, result },
  });
  say('keeper', '', call);
  say('director', 'All tanks are well.', null);
  return finishTrace(draft);
}

const rows: DetectorRow[] = [
  {
    name: 'unanswered_prompt: the chat stops while it asks for more',
    trace: prompted(2, 'prompt'),
    fires: [{ subtype: 'unanswered_prompt', step: 4, agent: 'proxy', severity: 'info', text: '2 times before' }],
  },
  {
    name: 'unanswered_prompt: the last of three answers is rejected, for different reasons',
    trace: checked(REJECTIONS),
    fires: [
      {
        subtype: 'unanswered_prompt',
        step: 1,
        agent: 'solver',
        severity: 'critical',
        text: 'checker rejected 3 answers of the run like this (steps 1, 3 and 5)',
        suggestion: 'Return the reason of the rejection to solver',
      },
    ],
  },
  {
    name: 'unanswered_prompt: the rejected answers lack the form that a message shows',
    trace: `message checker "Write the change as <place>...</place> <new>...</new>."
agent solver
${['<place>pier</place> <new>north</new>', 'I would move the pier to the north.', 'Move the pier.']
  .map(
    (text, at) =>
      `llm m -> ${JSON.stringify(text)}\nmessage checker "Your change could not be applied. ${at === 0 ? 'No such place' : 'It cannot be parsed'}."`,
  )
  .join('\n')}`,
    fires: [
      {
        subtype: 'unanswered_prompt',
        text: 'The message at step 0 asks for <place> and <new>, and the answers at steps 3 and 5 contain none of them. The reason at step 2 was another one: "No such place."',
        suggestion:
          'together with the form of step 0, and reject an answer without <place> and <new> before it is applied.',
      },
    ],
  },
  {
    name: 'unanswered_prompt: the same in German',
    trace: checked(Array(3).fill('Der Fahrplan konnte nicht geladen werden. Zwei Fähren teilen sich einen Platz.')),
    fires: [{ subtype: 'unanswered_prompt', step: 1, severity: 'critical' }],
  },
  {
    name: 'silent: the last answer was accepted',
    trace: checked([...REJECTIONS, 'The timetable is loaded. All berths are named.']),
    silent: true,
  },
  { name: 'silent: an answer follows the last rejection', trace: checked(REJECTIONS, 'Here it is.'), silent: true },
  { name: 'silent: two rejections, for different reasons', trace: checked(REJECTIONS.slice(0, 2)), silent: true },
  {
    name: 'silent: the replies state no failure',
    trace: checked([1, 2, 3].map((n) => `The timetable is on the wall now. It is number ${n} of the week.`)),
    silent: true,
  },
  { name: 'silent: the last prompt is answered', trace: prompted(3, 'answer'), silent: true },
  {
    name: 'silent: the last message is new',
    trace: `message proxy "${PROMPT}"\nagent solver\nllm m -> "Alle Zeilen stehen."\nmessage proxy "Vielen Dank, damit ist die Tabelle fertig."`,
    silent: true,
  },
  {
    name: 'silent: the last message repeats an unanswered one',
    trace: `message proxy "${PROMPT}"\nmessage proxy "${PROMPT}"`,
    silent: true,
  },
  {
    name: 'empty_answer: the model ends the run with nothing',
    trace: answers(['I look at the tides first.', '']),
    fires: [{ subtype: 'empty_answer', step: 1, agent: 'guide', severity: 'warning', text: 'neither text nor a call' }],
  },
  {
    name: 'empty_answer: the other agents continue without the part of a sub-agent',
    trace: asked(''),
    fires: [{ subtype: 'empty_answer', step: 2, agent: 'keeper', text: 'The run continued without its part' }],
  },
  {
    name: 'empty_answer: no text of a model is recorded, but a question, the requested call and its result are',
    trace: questioned(),
    fires: [
      {
        subtype: 'empty_answer',
        step: 3,
        agent: 'guide',
        severity: 'warning',
        text: 'The user asked a question and got no text. The answer at step 1 was recorded with the call that it requests.',
      },
    ],
  },
  {
    name: 'empty_answer: a conversation without finish reasons ends with an empty message',
    trace: emptyConversation(QUESTION),
    fires: [{ subtype: 'empty_answer', step: 2, agent: 'guide', text: 'The user asked a question and got no text.' }],
  },
  {
    name: 'silent: the conversation contains no question',
    trace: emptyConversation('The tide is high today.'),
    silent: true,
  },
  {
    name: 'silent: the instructions permit an empty answer',
    trace: emptyConversation(QUESTION, 'Answer with an empty message if nobody addresses you.'),
    silent: true,
  },
  { name: 'silent: the call only returns a receipt', trace: questioned({ result: { ok: true } }), silent: true },
  { name: 'silent: the call changes something', trace: questioned({ tool: 'post_letter' }), silent: true },
  { name: 'silent: no question is asked', trace: questioned({ question: 'Daily digest' }), silent: true },
  { name: 'silent: no requested call is recorded', trace: questioned({ isCallRecorded: false }), silent: true },
  {
    name: 'empty_answer: a content filter stopped the answer',
    trace: questioned({ question: 'Write the scene at the harbour.', finish: 'content_filter' }),
    fires: [{ subtype: 'empty_answer', step: 3, agent: 'guide', text: 'Its finish reason is content_filter.' }],
  },
  { name: 'silent: the model stopped for another reason', trace: questioned({ finish: 'tool_calls' }), silent: true },
  { name: 'silent: the call of the sub-agent returns a text', trace: asked('88 fish'), silent: true },
  {
    name: 'silent: the model stopped to call a tool that is not recorded',
    trace: answers(['I look at the tides first.', ''], 'end', 'tool_calls'),
    silent: true,
  },
  { name: 'silent: texts are never recorded', trace: answers(['', '']), silent: true },
  {
    name: 'silent: an empty answer before the last one',
    trace: answers(['Hello.', '', 'High water is at nine.']),
    silent: true,
  },
  { name: 'silent: a call follows the empty answer', trace: answers(['Hello.', ''], 'call'), silent: true },
];

testDetector(completion, rows);
