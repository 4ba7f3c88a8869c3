// Three LangGraph graphs: a healthy team, a team that never ends, and a node that fails.
import { sdk } from './setup.mjs';

const { AIMessage, HumanMessage } = await import('@langchain/core/messages');
const { tool } = await import('@langchain/core/tools');
const { Annotation, Command, END, MemorySaver, MessagesAnnotation, START, StateGraph } = await import(
  '@langchain/langgraph'
);
const { ChatOpenAI } = await import('@langchain/openai');
const { z } = await import('zod');

const model = new ChatOpenAI({
  model: 'gpt-4o',
  apiKey: 'sk-fake',
  maxRetries: 0,
  configuration: { baseURL: `${process.env.MODEL_URL}/v1` },
});
const findPart = tool(async ({ part }) => `${part}: 7 sets in stock`, {
  name: 'find_part',
  description: 'Looks up a part in the stock list',
  schema: z.object({ part: z.string() }),
});
const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  rounds: Annotation({ reducer: (before, more) => before + more, default: () => 0 }),
});
const messageOf = (name, content) => ({ messages: [new AIMessage({ content, name })] });

const order = ['mechanic', 'buyer', END];
let turn = 0;
const workshop = new StateGraph(State)
  .addNode(
    'foreman',
    async ({ messages }) => {
      await model.invoke([...messages, new HumanMessage('Who works next?')]);
      const goto = order[turn];
      turn += 1;
      return new Command({ goto, update: { rounds: 1 } });
    },
    { ends: order },
  )
  .addNode('mechanic', async ({ messages }) => {
    const withTool = model.bindTools([findPart]);
    const reply = await withTool.invoke(messages);
    const result = await findPart.invoke(reply.tool_calls[0]);
    const { content } = await withTool.invoke([...messages, reply, result]);
    return messageOf('mechanic', content);
  })
  .addNode('buyer', async ({ messages }) => messageOf('buyer', (await model.invoke(messages)).content))
  .addEdge(START, 'foreman')
  .addEdge('mechanic', 'foreman')
  .addEdge('buyer', 'foreman')
  .compile({ checkpointer: new MemorySaver(), name: 'workshop' });

const dispute = new StateGraph(State)
  .addNode('mechanic', async ({ messages }) => {
    await model.invoke(messages);
    return messageOf('mechanic', 'I have to check the brakes again.');
  })
  .addNode('inspector', async () => messageOf('inspector', 'Please check the brakes again.'))
  .addEdge(START, 'mechanic')
  .addEdge('mechanic', 'inspector')
  .addEdge('inspector', 'mechanic')
  .compile({ checkpointer: new MemorySaver(), name: 'dispute' });

const invoicing = new StateGraph(MessagesAnnotation)
  .addNode('book_invoice', async () => {
    throw new Error('database unavailable');
  })
  .addEdge(START, 'book_invoice')
  .addEdge('book_invoice', END)
  .compile({ checkpointer: new MemorySaver(), name: 'invoicing' });

const ask = (graph, thread_id, text, more = {}) =>
  graph
    .invoke({ messages: [new HumanMessage(text)] }, { configurable: { thread_id }, ...more })
    .catch(({ message }) => console.log(message));

await ask(workshop, 'bench-1', 'Repair the brakes of the touring bike', { runName: 'workshop_run' });
await ask(dispute, 'bench-2', 'Check the brakes', { recursionLimit: 10 });
await ask(invoicing, 'bench-3', 'Book the invoice');
await sdk.shutdown();
