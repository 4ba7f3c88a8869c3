// A Traceloop workflow with two agents and a tool; with FAILING a tool answers with an error.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import * as traceloop from '@traceloop/node-server-sdk';
import OpenAI from 'openai';

const url = `${process.env.MISSTEP_URL}/v1/traces`;
const headers = { 'x-svc-api-key': process.env.MISSTEP_API_KEY };
traceloop.initialize({
  appName: 'workshop',
  disableBatch: true,
  exporter: new OTLPTraceExporter({ url, headers }),
  instrumentModules: { openAI: OpenAI },
  silenceInitializationMessage: true,
  traceloopSyncEnabled: false,
  traceContent: true,
});
const client = new OpenAI({ apiKey: 'sk-fake', baseURL: `${process.env.MODEL_URL}/v1`, maxRetries: 0 });
const ask = (content, more = {}) =>
  client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }], ...more });

await traceloop
  .withAssociationProperties({ user_id: 'user-5', session_id: 'bench-3' }, () =>
    traceloop.withWorkflow({ name: 'repair' }, async () => {
      await traceloop.withAgent({ name: 'mechanic' }, () => ask('Which part does the touring bike need?'));
      await traceloop.withTool({ name: 'find_part' }, async ({ part }) => ({ part, sets: 7 }), { part: 'BP-204' });
      await traceloop.withAgent({ name: 'buyer' }, async () => {
        const stream = await ask('How many sets of BP-204 are in stock?', {
          stream: true,
          stream_options: { include_usage: true },
        });
        for await (const _chunk of stream);
      });
      if (!process.env.FAILING) return;
      // This SDK never exports spans of functions that throw and of calls that the model refuses.
      await traceloop.withTool({ name: 'order_part' }, async () => ({ error: 'connect ECONNREFUSED 10.20.0.7:443' }), {
        part: 'BP-204',
      });
    }),
  )
  .catch(({ message }) => console.log(message));
await traceloop.forceFlush();
