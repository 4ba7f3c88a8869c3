// Vercel AI SDK with its OpenTelemetry integration.
import { createOpenAI } from '@ai-sdk/openai';
import { OpenTelemetry } from '@ai-sdk/otel';
import { trace } from '@opentelemetry/api';
import { registerTelemetry, tool } from 'ai';
import { z } from 'zod';
import { advance, random } from '../kit/fixed-environment.mjs';
import { registerOtlp } from '../kit/otlp.mjs';

export async function open({ modelUrl, sinkUrl }) {
  const provider = registerOtlp(sinkUrl);
  registerTelemetry(new OpenTelemetry());
  const openai = createOpenAI({ apiKey: 'sk-gauge', baseURL: modelUrl });
  const kit = {
    chat: (name = 'gpt-4o') => openai.chat(name),
    tool: (description, shape, work) =>
      tool({
        description,
        inputSchema: z.object(shape),
        execute: async (input) => {
          advance(40 + random() * 500);
          return work(input);
        },
      }),
    named: (functionId, more = {}) => ({ maxRetries: 0, telemetry: { isEnabled: true, functionId, ...more } }),
    /** One span around several calls, as an application has it. */
    within: (name, work) =>
      trace.getTracer('app').startActiveSpan(name, async (span) => {
        try {
          return await work();
        } finally {
          span.end();
        }
      }),
  };
  return { kit, flush: () => provider.forceFlush(), close: () => provider.shutdown() };
}
