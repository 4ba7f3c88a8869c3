// OpenAI Agents SDK with its own exporter.
import {
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
import { advance, random } from '../kit/fixed-environment.mjs';

export async function open({ modelUrl, sinkUrl }) {
  setDefaultOpenAIClient(new OpenAI({ apiKey: 'sk-gauge', baseURL: modelUrl, maxRetries: 0 }));
  setOpenAIAPI('chat_completions');
  setTracingDisabled(false);
  const exporter = new OpenAITracingExporter({ endpoint: `${sinkUrl}/v1/traces/ingest`, apiKey: 'key-of-the-gauge' });
  setTraceProcessors([new BatchTraceProcessor(exporter, { maxBatchSize: 9999, scheduleDelay: 3_600_000 })]);
  const kit = {
    run,
    withTrace,
    tool: (name, description, shape, work, more = {}) =>
      tool({
        name,
        description,
        parameters: z.object(shape),
        execute: async (input) => {
          advance(40 + random() * 500);
          return work(input);
        },
        ...more,
      }),
    api: setOpenAIAPI,
  };
  const provider = getGlobalTraceProvider();
  return { kit, flush: () => provider.forceFlush(), close: () => provider.shutdown?.() };
}
