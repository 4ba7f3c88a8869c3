// @langfuse/otel 5. With OWN_EXPORTER it exports through the stock OTLP exporter, otherwise to LANGFUSE_BASE_URL.
// With FAILING the search fails and the model refuses a call.
import { observeOpenAI } from '@langfuse/openai';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { propagateAttributes, startActiveObservation, startObservation } from '@langfuse/tracing';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { NodeSDK } from '@opentelemetry/sdk-node';
import OpenAI from 'openai';

const processor = new LangfuseSpanProcessor(process.env.OWN_EXPORTER ? { exporter: new OTLPTraceExporter() } : {});
const sdk = new NodeSDK({ spanProcessors: [processor] });
sdk.start();
const client = observeOpenAI(new OpenAI({ apiKey: 'sk-fake', baseURL: `${process.env.MODEL_URL}/v1`, maxRetries: 0 }));
const ask = (content) => client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }] });

await startActiveObservation('repair', async (root) => {
  root.update({ input: { question: 'How many sets of BP-204 are in stock?' } });
  await propagateAttributes({ sessionId: 'bench-3', userId: 'user-5' }, async () => {
    await startActiveObservation(
      'mechanic',
      async (agent) => {
        agent.update({ input: 'How many sets of BP-204 are in stock?' });
        const tool = startObservation('find_part', { input: { part: 'BP-204' } }, { asType: 'tool' });
        if (process.env.FAILING) tool.update({ level: 'ERROR', statusMessage: 'connect ECONNREFUSED 10.20.0.7:5432' });
        else tool.update({ output: { sets: 7 } });
        tool.end();
        const { choices } = await ask('How many sets of BP-204 are in stock?');
        agent.update({ output: choices[0].message.content });
      },
      { asType: 'agent' },
    );
  });
  root.update({ output: 'Brake pads BP-204: 7 sets are in stock.' });
});
if (process.env.FAILING)
  await startActiveObservation('refused', () => ask('too many requests').catch(({ message }) => console.log(message)));
await sdk.shutdown();
