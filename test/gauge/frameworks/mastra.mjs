// Mastra with its OpenTelemetry exporter.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';
import { advance, random } from '../kit/fixed-environment.mjs';

export async function open({ modelUrl, sinkUrl }) {
  const provider = createOpenAICompatible({ name: 'openai', baseURL: modelUrl, apiKey: 'sk-gauge' });
  const endpoint = `${sinkUrl}/v1/traces`;
  let mastra = null;
  const kit = {
    tool: (id, description, shape, work) =>
      createTool({
        id,
        description,
        inputSchema: z.object(shape),
        execute: async (input) => {
          advance(40 + random() * 500);
          return work(input);
        },
      }),
    agent: (id, instructions, more = {}) =>
      new Agent({ id, name: id, instructions, model: provider('gpt-4o'), maxRetries: 0, ...more }),
    app: (parts) => {
      const exporter = new OtelExporter({ provider: { custom: { endpoint, protocol: 'http/json' } }, batchSize: 9999 });
      const observability = new Observability({ configs: { otel: { serviceName: 'gauge', exporters: [exporter] } } });
      mastra = new Mastra({ ...parts, logger: false, observability });
      return mastra;
    },
  };
  const flush = async () => {
    await mastra?.observability?.shutdown?.();
    mastra = null;
  };
  return { kit, flush, close: flush };
}
