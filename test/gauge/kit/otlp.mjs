import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { random } from './fixed-environment.mjs';

const MANY = 9999;
const ONE_HOUR_MS = 3_600_000;
const hexOf = (bytes) =>
  Array.from({ length: bytes }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('');

/** The global OpenTelemetry provider: it sends the spans of a run to the sink, as one body, when it is flushed. */
export function registerOtlp(sinkUrl) {
  const exporter = new OTLPTraceExporter({ url: `${sinkUrl}/v1/traces` });
  const limits = { scheduledDelayMillis: ONE_HOUR_MS, maxQueueSize: MANY, maxExportBatchSize: MANY };
  const provider = new NodeTracerProvider({
    idGenerator: { generateTraceId: () => hexOf(16), generateSpanId: () => hexOf(8) },
    resource: resourceFromAttributes({ 'service.name': 'gauge' }),
    spanProcessors: [new BatchSpanProcessor(exporter, limits)],
  });
  provider.register();
  return provider;
}
