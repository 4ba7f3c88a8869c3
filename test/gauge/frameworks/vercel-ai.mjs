// Vercel AI SDK with its OpenTelemetry integration.
import { createOpenAI } from '@ai-sdk/openai';
import { OpenTelemetry } from '@ai-sdk/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { trace } from '@opentelemetry/api';
import { registerTelemetry, tool } from 'ai';
import { z } from 'zod';
import { advance, random } from '../kit/fixed-world.mjs';
import { seededIds } from '../kit/seeded-ids.mjs';

export async function open({ modelUrl, sinkUrl }) {
  const exporter = new OTLPTraceExporter({ url: `${sinkUrl}/v1/traces` });
  const provider = new NodeTracerProvider({
    idGenerator: seededIds,
    resource: resourceFromAttributes({ 'service.name': 'gauge' }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 3_600_000, maxQueueSize: 9999, maxExportBatchSize: 9999 })],
  });
  provider.register();
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
