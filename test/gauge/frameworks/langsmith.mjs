// LangGraph traced by LangSmith, exported as OpenTelemetry.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { seededIds } from '../kit/seeded-ids.mjs';
import { langchainKit } from './langchain-kit.mjs';

export async function open({ modelUrl, sinkUrl }) {
  Object.assign(process.env, {
    LANGSMITH_TRACING: 'true',
    LANGSMITH_OTEL_ENABLED: 'true',
    LANGSMITH_API_KEY: 'key-of-the-gauge',
    LANGSMITH_ENDPOINT: sinkUrl,
    LANGCHAIN_CALLBACKS_BACKGROUND: 'false',
  });
  const exporter = new OTLPTraceExporter({ url: `${sinkUrl}/v1/traces` });
  const provider = new NodeTracerProvider({
    idGenerator: seededIds,
    resource: resourceFromAttributes({ 'service.name': 'gauge' }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 3_600_000, maxQueueSize: 9999, maxExportBatchSize: 9999 })],
  });
  provider.register();
  const { initializeOTEL } = await import('langsmith/experimental/otel/setup');
  initializeOTEL({ globalTracerProvider: provider });
  return { kit: langchainKit(modelUrl), flush: () => provider.forceFlush(), close: () => provider.shutdown() };
}
