// Plan and execute: a planner lists the steps of a house move, an executor does each with tools, the planner revises once.
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { z } from 'zod';

const STEPS = {
  van: {
    text: 'Hire a van for the day',
    call: ['hire_van', { day: '2026-04-18', size: 'L' }],
    note: 'Van L from Ruckert, 94 euros, key box code comes by text message.',
  },
  parking: {
    text: 'Reserve the space in front of the door',
    call: ['no_parking_signs', { street: 'Färbergasse 9', day: '2026-04-18' }],
    note: 'Signs stand from Wednesday on, permit 26-1187.',
  },
  meter: {
    text: 'Report the meter readings',
    call: ['report_meter', { flat: 'old', kwh: 48211 }],
    note: 'Reading of 48,211 kWh accepted.',
  },
  post: {
    text: 'Forward the post',
    call: ['forward_post', { from: 'old', months: 12 }],
    note: 'Post follows for twelve months.',
  },
  boxes: {
    text: 'Borrow forty boxes',
    call: ['borrow_boxes', { count: 40 }],
    note: 'Forty boxes, folded, arrive on Monday.',
  },
  piano: {
    text: 'Book two piano carriers',
    call: ['book_carriers', { people: 2, hours: 3 }],
    note: 'Two carriers from nine to twelve.',
  },
};
const State = Annotation.Root({
  task: Annotation(),
  plan: Annotation({ reducer: (_, next) => next, default: () => [] }),
  done: Annotation({ reducer: (before, more) => [...before, ...more], default: () => [] }),
  answer: Annotation(),
});

export default {
  pattern: 'plan and execute',
  healthy: [
    { plan: ['van', 'boxes'] },
    { plan: ['van', 'parking', 'meter', 'post'] },
    { plan: ['boxes', 'piano', 'van', 'parking', 'post', 'meter'] },
    { plan: ['meter', 'post'], added: 'boxes' },
    { plan: ['van', 'piano'], added: 'parking' },
    { plan: ['post'] },
    { plan: ['parking', 'boxes', 'van'], added: 'piano' },
  ],
  failing: [
    {
      plan: ['van', 'parking', 'piano', 'post'],
      skip: 2,
      fault: 'half of the plan is never executed and the answer says that everything is arranged',
      agent: 'planner',
      step: 'answer',
      expect: [
        'completion',
        'withholding',
        'coordination',
        'quality_gate',
        'decomposition',
        'grounding',
        'reasoning_action_mismatch',
      ],
    },
    {
      plan: ['van', 'boxes'],
      endless: true,
      fault: 'the planner puts the same step on the plan for ever',
      agent: 'executor',
      step: 'hire_van',
      expect: ['loop', 'decomposition', 'coordination'],
    },
  ],
  model({ system, user, calls }, { plan, added, skip, endless }) {
    if (system.startsWith('Executor')) {
      const step = Object.values(STEPS).find(({ text }) => user.startsWith(text));
      return calls.length === 0 ? { call: step.call } : step.note;
    }
    if (system.startsWith('Planner')) return plan.map((key) => `* ${STEPS[key].text}`).join('\n');
    const doneCount = (user.match(/^✓/gm) ?? []).length;
    if (endless) return `* ${STEPS.van.text}`;
    if (skip && doneCount >= skip)
      return 'FINISHED Everything for your move on 18 April is arranged: van, signs, piano and post.';
    const all = added ? [...plan, added] : plan;
    const open = all.slice(doneCount);
    if (open.length > 0) return open.map((key) => `* ${STEPS[key].text}`).join('\n');
    return `FINISHED You are set for the 18th. ${all.map((key) => STEPS[key].note).join(' ')}`;
  },
  async run({ chat, tool }, { plan, endless }) {
    const answers = {
      hire_van: '{"offer":"Ruckert L","euros":94}',
      no_parking_signs: '{"permit":"26-1187","from":"Wed"}',
      report_meter: '{"accepted":48211}',
      forward_post: '{"months":12,"state":"active"}',
      borrow_boxes: '{"count":40,"arrives":"Mon"}',
      book_carriers: '{"people":2,"from":"09:00","to":"12:00"}',
    };
    const tools = Object.keys(answers).map((name) =>
      tool(
        name,
        name.replaceAll('_', ' '),
        {
          day: z.string().optional(),
          size: z.string().optional(),
          street: z.string().optional(),
          flat: z.string().optional(),
          kwh: z.number().optional(),
          from: z.string().optional(),
          months: z.number().optional(),
          count: z.number().optional(),
          people: z.number().optional(),
          hours: z.number().optional(),
        },
        () => answers[name],
      ),
    );
    const model = chat();
    const listOf = (text) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('* '))
        .map((line) => line.slice(2));
    const graph = new StateGraph(State)
      .addNode('planner', async ({ task }) => ({
        plan: listOf(
          (await model.invoke([new SystemMessage('Planner: list the steps.'), new HumanMessage(task)])).content,
        ),
      }))
      .addNode('executor', async ({ plan: open }) => {
        const messages = [new SystemMessage('Executor: do this one step with your tools.'), new HumanMessage(open[0])];
        const armed = model.bindTools(tools);
        const reply = await armed.invoke(messages);
        const [call] = reply.tool_calls;
        const result = await tools.find(({ name }) => name === call.name).invoke({ ...call, type: 'tool_call' });
        const told = await armed.invoke([
          ...messages,
          reply,
          ToolMessage.isInstance(result) ? result : new ToolMessage({ content: String(result), tool_call_id: call.id }),
        ]);
        return { done: [`✓ ${open[0]}: ${told.content}`] };
      })
      .addNode('replanner', async ({ task, done }) => {
        const { content } = await model.invoke([
          new SystemMessage('Replanner: write what is left, or FINISHED and the answer.'),
          new HumanMessage(`${task}\n${done.join('\n')}`),
        ]);
        return content.startsWith('FINISHED') ? { plan: [], answer: content.slice(9) } : { plan: listOf(content) };
      })
      .addEdge(START, 'planner')
      .addEdge('planner', 'executor')
      .addEdge('executor', 'replanner')
      .addConditionalEdges('replanner', ({ plan: open }) => (open.length > 0 ? 'executor' : END), ['executor', END])
      .compile({ name: 'house-move' });
    await graph.invoke(
      { task: `We move on 18 April${plan.includes('piano') ? ', with a piano' : ''}. Please arrange what is needed.` },
      { recursionLimit: endless ? 21 : 40 },
    );
  },
};
