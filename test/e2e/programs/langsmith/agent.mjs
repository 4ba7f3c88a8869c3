// A LangChain agent below a traceable function, traced by LangSmith: natively, or as OpenTelemetry when
// LANGSMITH_OTEL_ENABLED is set. With FAILING the tool throws.
const isOtel = process.env.LANGSMITH_OTEL_ENABLED === 'true';
const otel = isOtel ? (await import('langsmith/experimental/otel/setup')).initializeOTEL() : null;

const { ChatOpenAI } = await import('@langchain/openai');
const { createAgent, tool } = await import('langchain');
const { Client } = await import('langsmith');
const { traceable } = await import('langsmith/traceable');
const { z } = await import('zod');

const client = new Client();
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
const ask = traceable(
  async (question) => {
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] });
    return messages.at(-1).content;
  },
  { name: 'stock_question', client, metadata: { session_id: 'bench-3' } },
);
await ask('How many sets of brake pads BP-204 are in stock?').catch(({ message }) => console.log(message));
await client.awaitPendingTraceBatches();
await otel?.DEFAULT_LANGSMITH_SPAN_PROCESSOR.shutdown();
