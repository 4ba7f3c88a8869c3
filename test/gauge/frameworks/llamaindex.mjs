// LlamaIndex TS with Traceloop's instrumentation; applications add a span around a run, as its SDK does.

import * as llamaindexOpenAI from '@llamaindex/openai';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { LlamaIndexInstrumentation } from '@traceloop/instrumentation-llamaindex';
import * as llamaindex from 'llamaindex';
import { z } from 'zod';
import { advance, random } from '../kit/fixed-environment.mjs';
import { registerOtlp } from '../kit/otlp.mjs';

export async function open({ modelUrl, sinkUrl }) {
  const provider = registerOtlp(sinkUrl);
  const instrumentation = new LlamaIndexInstrumentation({ traceContent: true });
  instrumentation.setTracerProvider(provider);
  instrumentation.manuallyInstrument(llamaindex, llamaindexOpenAI);
  const tracer = trace.getTracer('@traceloop/node-server-sdk');
  const within = (kind, name, input, work) =>
    tracer.startActiveSpan(`${name}.${kind}`, async (span) => {
      span.setAttributes({
        'traceloop.span.kind': kind,
        'traceloop.entity.name': name,
        'traceloop.entity.input': JSON.stringify({ args: [input], kwargs: {} }),
      });
      try {
        const output = await work();
        span.setAttribute('traceloop.entity.output', JSON.stringify(output));
        return output;
      } catch (error) {
        span.recordException(error);
        span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
        throw error;
      } finally {
        span.end();
      }
    });
  const kit = {
    chat: (model = 'gpt-4o', more = {}) =>
      new llamaindexOpenAI.OpenAI({ model, apiKey: 'sk-gauge', maxRetries: 0, baseURL: modelUrl, ...more }),
    embed: () =>
      new llamaindexOpenAI.OpenAIEmbedding({ model: 'text-embedding-3-small', apiKey: 'sk-gauge', baseURL: modelUrl }),
    tool: (name, description, shape, work) => {
      const timed = (input) =>
        within('tool', name, input, async () => {
          advance(40 + random() * 500);
          return work(input);
        });
      return llamaindex.tool({ name, description, parameters: z.object(shape), execute: timed });
    },
    within,
    context,
  };
  return { kit, flush: () => provider.forceFlush(), close: () => provider.shutdown() };
}
