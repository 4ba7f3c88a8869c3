// Graphs of a LangGraph server: a healthy team, a team that never ends, a node that fails, a node that fails within a
// graph of the graph, and a node that asks a person.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Annotation, Command, END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

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
export const workshop = new StateGraph(State)
  .addNode(
    'foreman',
    async ({ messages, rounds }) => {
      await model.invoke([...messages, new HumanMessage('Who works next?')]);
      return new Command({ goto: order[rounds], update: { rounds: 1 } });
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
  .compile();

export const dispute = new StateGraph(State)
  .addNode('mechanic', async ({ messages }) => {
    await model.invoke(messages);
    return messageOf('mechanic', 'I have to check the brakes again.');
  })
  .addNode('inspector', async () => messageOf('inspector', 'Please check the brakes again.'))
  .addEdge(START, 'mechanic')
  .addEdge('mechanic', 'inspector')
  .addEdge('inspector', 'mechanic')
  .compile();

export const invoicing = new StateGraph(MessagesAnnotation)
  .addNode('book_invoice', async () => {
    throw new Error('database unavailable');
  })
  .addEdge(START, 'book_invoice')
  .addEdge('book_invoice', END)
  .compile();

const labels = new StateGraph(MessagesAnnotation)
  .addNode('setter', async () => messageOf('setter', 'The label is set.'))
  .addNode('printer', async () => {
    throw new Error('503 Service Unavailable: the label printer does not answer');
  })
  .addEdge(START, 'setter')
  .addEdge('setter', 'printer')
  .addEdge('printer', END)
  .compile();

export const nested = new StateGraph(MessagesAnnotation)
  .addNode('labels', labels)
  .addEdge(START, 'labels')
  .addEdge('labels', END)
  .compile();

export const asking = new StateGraph(MessagesAnnotation)
  .addNode('clerk', async () => messageOf('clerk', `The customer said ${interrupt('Order the brake pads?')}.`))
  .addEdge(START, 'clerk')
  .addEdge('clerk', END)
  .compile();
