// A LangChain agent with one tool, which fails when FAILING is set.
import { sdk } from './setup.mjs';

const { ChatOpenAI } = await import('@langchain/openai');
const { createAgent, tool } = await import('langchain');
const { z } = await import('zod');

const model = new ChatOpenAI({
  model: 'gpt-4o',
  apiKey: 'sk-fake',
  maxRetries: 0,
  configuration: { baseURL: `${process.env.MODEL_URL}/v1` },
});
const findPart = tool(
  async ({ part }) => {
    if (process.env.FAILING) throw new Error('connect ECONNREFUSED 10.20.0.7:5432');
    return `${part}: 7 sets in stock`;
  },
  { name: 'find_part', description: 'Looks up a part in the stock list', schema: z.object({ part: z.string() }) },
);
const agent = createAgent({ model, tools: [findPart], systemPrompt: 'You look after the stock.', name: 'stock_clerk' });
const question = { messages: [{ role: 'user', content: 'How many sets of brake pads BP-204 are in stock?' }] };
const answer = await agent.invoke(question, { configurable: { thread_id: 'bench-3' } }).catch(({ message }) => message);
console.log(answer.messages?.at(-1).content ?? answer);
await sdk.shutdown();
