// Phoenix's register() with OpenInference on the OpenAI client; PHOENIX_* variables name the server and the key.
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { register } from '@arizeai/phoenix-otel';
import { SpanStatusCode } from '@opentelemetry/api';
import OpenAI from 'openai';

const provider = register({ projectName: 'workshop', batch: true });
const instrumentation = new OpenAIInstrumentation({ tracerProvider: provider });
instrumentation.manuallyInstrument(OpenAI);
const client = new OpenAI({ apiKey: 'sk-fake', baseURL: `${process.env.MODEL_URL}/v1`, maxRetries: 0 });
const tracer = provider.getTracer('workshop');
const kind = (name, more) => ({ attributes: { 'openinference.span.kind': name, ...more } });
const question = 'How many sets of BP-204 are in stock?';

const agentKind = kind('AGENT', { 'agent.name': 'mechanic', 'input.value': question, 'session.id': 'bench-3' });
await tracer.startActiveSpan('mechanic', agentKind, async (agent) => {
  const toolKind = kind('TOOL', { 'tool.name': 'find_part', 'input.value': '{"part":"BP-204"}' });
  tracer.startActiveSpan('find_part', toolKind, (tool) => {
    if (process.env.FAILING) {
      const error = new Error('connect ECONNREFUSED 10.20.0.7:5432');
      tool.recordException(error);
      tool.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
    } else tool.setAttribute('output.value', '{"sets":7}');
    tool.end();
  });
  const { choices } = await client.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: question }],
  });
  agent.setAttribute('output.value', choices[0].message.content);
  agent.end();
});
await provider.forceFlush();
await provider.shutdown();
