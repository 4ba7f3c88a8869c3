// Sends one trace with every kind of attribute. Usage: node send.mjs json|proto [gzip]
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const [kind, compression = 'none'] = process.argv.slice(2);
const encoding = kind === 'proto' ? 'proto' : 'http';
const { OTLPTraceExporter } = await import(`@opentelemetry/exporter-trace-otlp-${encoding}`);
const url = `${process.env.MISSTEP_URL}/v1/traces`;
const exporter = new OTLPTraceExporter({ url, compression, headers: { 'x-svc-api-key': process.env.MISSTEP_API_KEY } });
const provider = new TracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'workshop', 'session.id': 'bench-3' }),
  spanProcessors: [new BatchSpanProcessor({ exporter })],
});
const tracer = provider.getTracer('workshop');

const agent = tracer.startSpan('invoke_agent mechanic', {
  attributes: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'mechanic',
    integer: 42,
    negative: -7,
    largest: Number.MAX_SAFE_INTEGER,
    beyond: 2 ** 60,
    double: 0.25,
    infinite: Number.POSITIVE_INFINITY,
    no: false,
    words: ['brake', 'pad'],
    gaps: ['front', null, undefined, 'rear'],
    map: { part: 'BP-204', count: 2, nested: { spare: true } },
    maps: [
      { role: 'user', content: 'Is it in stock?' },
      { role: 'assistant', content: 'Yes.' },
    ],
    unusual: 'Größe "M" \u{1F6B2}',
  },
});
const below = trace.setSpan(context.active(), agent);
const chat = tracer.startSpan(
  'chat gpt-4o',
  {
    kind: SpanKind.CLIENT,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 120,
      'gen_ai.usage.output_tokens': 30,
    },
  },
  below,
);
chat.recordException(new TypeError('The part list is not a list'));
chat.setStatus({ code: SpanStatusCode.ERROR, message: 'The part list is not a list' });
chat.end();
agent.end();
await provider.forceFlush();
await provider.shutdown();
