// A loop written by hand on the OpenAI SDK, with OpenInference spans and spans of its own around agents and tools.
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import OpenAI from 'openai';
import { advance, random } from '../kit/fixed-environment.mjs';
import { registerOtlp } from '../kit/otlp.mjs';

export async function open({ modelUrl, sinkUrl }) {
  const provider = registerOtlp(sinkUrl);
  const instrumentation = new OpenAIInstrumentation({ tracerProvider: provider });
  instrumentation.manuallyInstrument(OpenAI);
  const client = new OpenAI({ apiKey: 'sk-gauge', baseURL: modelUrl, maxRetries: 0 });
  const tracer = trace.getTracer('app');
  const spanned = (kind, name, input, work) =>
    tracer.startActiveSpan(name, async (span) => {
      span.setAttributes({
        'openinference.span.kind': kind,
        'input.value': typeof input === 'string' ? input : JSON.stringify(input),
        ...(kind === 'TOOL' && { 'tool.name': name }),
        ...(kind === 'AGENT' && { 'agent.name': name }),
      });
      try {
        const output = await work();
        span.setAttribute('output.value', typeof output === 'string' ? output : JSON.stringify(output));
        span.setStatus({ code: SpanStatusCode.OK });
        return output;
      } catch (error) {
        span.recordException(error);
        span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
        throw error;
      } finally {
        span.end();
      }
    });
  /** Calls the model until it answers without a tool call. Tools are `{ name: [description, work] }`. */
  const agent =
    (name, system, tools = {}, { limit = 12, model = 'gpt-4o' } = {}) =>
    (ask) =>
      spanned('AGENT', name, ask, async () => {
        const messages = [
          { role: 'system', content: system },
          { role: 'user', content: ask },
        ];
        const offered = Object.entries(tools).map(([tool, [description]]) => ({
          type: 'function',
          function: { name: tool, description, parameters: { type: 'object', additionalProperties: true } },
        }));
        for (let step = 0; step < limit; step += 1) {
          const { choices } = await client.chat.completions.create({
            model,
            messages,
            ...(offered.length > 0 && { tools: offered }),
          });
          const { message } = choices[0];
          messages.push(message);
          if (!message.tool_calls) return message.content;
          for (const call of message.tool_calls) {
            const input = JSON.parse(call.function.arguments);
            const content = await spanned('TOOL', call.function.name, input, async () => {
              advance(40 + random() * 500);
              return tools[call.function.name][1](input);
            }).catch(({ message: text }) => `error: ${text}`);
            messages.push({
              role: 'tool',
              tool_call_id: call.id,
              content: typeof content === 'string' ? content : JSON.stringify(content),
            });
          }
        }
        throw new Error(`${name}: no answer after ${limit} steps`);
      });
  return { kit: { agent, spanned }, flush: () => provider.forceFlush(), close: () => provider.shutdown() };
}
