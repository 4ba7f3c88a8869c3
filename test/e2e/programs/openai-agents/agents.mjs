// A hand-off between two agents, and an agent whose tool fails, traced by the exporter of the OpenAI Agents SDK.
// API is `chat_completions` or `responses`.
import {
  Agent,
  BatchTraceProcessor,
  getGlobalTraceProvider,
  OpenAITracingExporter,
  run,
  setDefaultOpenAIClient,
  setOpenAIAPI,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  withTrace,
} from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

setDefaultOpenAIClient(new OpenAI({ apiKey: 'sk-fake', baseURL: `${process.env.MODEL_URL}/v1`, maxRetries: 0 }));
setOpenAIAPI(process.env.API);
setTracingDisabled(false);
const endpoint = `${process.env.MISSTEP_URL}/v1/traces/ingest`;
setTraceProcessors([
  new BatchTraceProcessor(new OpenAITracingExporter({ endpoint, apiKey: process.env.MISSTEP_API_KEY })),
]);
const parameters = z.object({ part: z.string() });
const findPart = tool({
  name: 'find_part',
  description: 'Looks up a part in the stock list',
  parameters,
  execute: async ({ part }) => `${part}: 7 sets in stock`,
});
const orderPart = tool({
  name: 'order_part',
  description: 'Orders a part',
  parameters,
  errorFunction: null,
  execute: async () => {
    throw new Error('connect ECONNREFUSED 10.20.0.7:443');
  },
});
const agent = (name, more) => new Agent({ name, instructions: `You are the ${name}.`, model: 'gpt-4o', ...more });
const clerk = agent('clerk', { tools: [findPart] });
const foreman = agent('foreman', { handoffs: [clerk] });
const buyer = agent('buyer', { tools: [orderPart] });

await withTrace('Stock question', () => run(foreman, 'How many sets of brake pads BP-204 are in stock?'), {
  groupId: 'bench-3',
});
await withTrace('Order', () => run(buyer, 'Order brake pads BP-204')).catch(({ message }) => console.log(message));
await getGlobalTraceProvider().forceFlush();
await getGlobalTraceProvider().shutdown?.();
