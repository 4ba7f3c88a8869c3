// A Mastra agent with one tool, and a workflow that calls it; with FAILING the tool and the workflow's last step throw.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';

const isFailing = Boolean(process.env.FAILING);
const provider = createOpenAICompatible({ name: 'openai', baseURL: `${process.env.MODEL_URL}/v1`, apiKey: 'sk-fake' });
const findPart = createTool({
  id: 'find_part',
  description: 'Looks up a part in the stock list',
  inputSchema: z.object({ part: z.string() }),
  execute: async () => {
    if (isFailing) throw new Error('connect ECONNREFUSED 10.20.0.7:5432');
    return { sets: 7 };
  },
});
const clerk = new Agent({
  id: 'stock-clerk',
  name: 'Stock Clerk',
  instructions: 'You look after the stock.',
  model: provider('gpt-4o'),
  tools: { find_part: findPart },
});
const Text = z.object({ text: z.string() });
const Part = z.object({ part: z.string() });
const ask = createStep({
  id: 'ask',
  inputSchema: Part,
  outputSchema: Text,
  execute: async ({ inputData, mastra }) => {
    const { text } = await mastra.getAgent('clerk').generate(`How many sets of ${inputData.part} are in stock?`);
    return { text };
  },
});
const book = createStep({
  id: 'book',
  inputSchema: Text,
  outputSchema: Text,
  execute: async ({ inputData }) => {
    if (isFailing) throw new Error('duplicate key value violates unique constraint "bookings_pkey"');
    return inputData;
  },
});
const booking = createWorkflow({ id: 'booking', inputSchema: Part, outputSchema: Text }).then(ask).then(book).commit();
const endpoint = `${process.env.MISSTEP_URL}/v1/traces`;
const headers = { 'x-svc-api-key': process.env.MISSTEP_API_KEY };
const exporter = new OtelExporter({ provider: { custom: { endpoint, protocol: 'http/protobuf', headers } } });
const mastra = new Mastra({
  agents: { clerk },
  workflows: { booking },
  logger: false,
  observability: new Observability({ configs: { otel: { serviceName: 'workshop', exporters: [exporter] } } }),
});

await mastra
  .getAgent('clerk')
  .generate('How many sets of brake pads BP-204 are in stock?')
  .catch(({ message }) => console.log(message));
const run = await mastra.getWorkflow('booking').createRun();
console.log((await run.start({ inputData: { part: 'BP-204' } })).status);
await mastra.observability?.shutdown?.();
await mastra.shutdown?.();
