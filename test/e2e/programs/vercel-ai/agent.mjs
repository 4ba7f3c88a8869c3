// Three calls of the AI SDK: an agent with a tool, a streamed text, a call that the model refuses.
// VARIANT is `stock` (OpenTelemetry of AI SDK 7), `legacy` (its older attributes) or `ai6` (AI SDK 6, which has its own).
import { NodeSDK } from '@opentelemetry/sdk-node';
import { z } from 'zod';

const variant = process.env.VARIANT;
const sdk = new NodeSDK();
sdk.start();

const isOld = variant === 'ai6';
const { generateText, isStepCount, registerTelemetry, stepCountIs, streamText, tool } = await import(
  isOld ? 'ai6' : 'ai'
);
const { createOpenAI } = await import(isOld ? 'ai6-openai' : '@ai-sdk/openai');
if (!isOld) {
  const { LegacyOpenTelemetry, OpenTelemetry } = await import('@ai-sdk/otel');
  registerTelemetry(variant === 'legacy' ? new LegacyOpenTelemetry() : new OpenTelemetry());
}
const model = createOpenAI({ apiKey: 'sk-fake', baseURL: `${process.env.MODEL_URL}/v1` }).chat('gpt-4o');
const telemetry = (functionId) => {
  const settings = { isEnabled: true, functionId, metadata: { userId: 'user-5', sessionId: 'bench-3' } };
  return isOld ? { experimental_telemetry: settings } : { telemetry: settings, experimental_telemetry: settings };
};
const findPart = tool({
  description: 'Looks up a part in the stock list',
  inputSchema: z.object({ part: z.string() }),
  execute: async ({ part }) => {
    if (process.env.FAILING) throw new Error('connect ECONNREFUSED 10.20.0.7:5432');
    return { part, sets: 7 };
  },
});
await generateText({
  model,
  system: 'You look after the stock.',
  prompt: 'How many sets of brake pads BP-204 are in stock?',
  tools: { find_part: findPart },
  stopWhen: (stepCountIs ?? isStepCount)(3),
  ...telemetry('stock-clerk'),
});
const { textStream } = streamText({ model, prompt: 'Describe the brake pads', ...telemetry('writer') });
for await (const _part of textStream);
await generateText({ model, prompt: 'too many requests', maxRetries: 0, ...telemetry('refused') }).catch(
  ({ message }) => console.log(message),
);
await sdk.shutdown();
