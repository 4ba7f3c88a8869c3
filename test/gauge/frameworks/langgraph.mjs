// LangGraph with OpenInference spans.
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { seededIds } from '../kit/seeded-ids.mjs';
import { langchainKit } from './langchain-kit.mjs';

export async function open({ modelUrl, sinkUrl }) {
  const exporter = new OTLPTraceExporter({ url: `${sinkUrl}/v1/traces` });
  const provider = new NodeTracerProvider({
    idGenerator: seededIds,
    resource: resourceFromAttributes({ 'service.name': 'gauge' }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 3_600_000, maxQueueSize: 9999, maxExportBatchSize: 9999 })],
  });
  provider.register();
  const instrumentation = new LangChainInstrumentation({ tracerProvider: provider });
  instrumentation.manuallyInstrument(callbacks);
  return { kit: langchainKit(modelUrl), flush: () => provider.forceFlush(), close: () => provider.shutdown() };
}
